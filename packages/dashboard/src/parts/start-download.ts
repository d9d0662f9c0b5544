/** Like a click on a download link: if the server refuses, the page stays. */
export function startDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
