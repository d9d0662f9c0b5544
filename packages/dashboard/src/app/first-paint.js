// Runs before anything is painted, so that nobody who chose dark sees a white flash. Kept in old syntax and tiny.
;(function () {
  var choice = null
  try {
    choice = localStorage.getItem('kestrel.theme')
  } catch {
    // Storage is switched off: the system decides.
  }
  var isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
})()
