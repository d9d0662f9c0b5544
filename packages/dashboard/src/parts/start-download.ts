/** As a click on a link that downloads: a refusal leaves the page where it is. */
export function startDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
