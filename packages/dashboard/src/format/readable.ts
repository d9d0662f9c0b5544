/** "Webhook send test" for webhook.send_test: a name of the server's that the page has no words for. */
export function readable(name: string): string {
  const plain = name.replaceAll(/[._]/g, ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
