/** What a browser calls itself, in a few words. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : /(Firefox|FxiOS)\//.test(userAgent)
      ? 'Firefox'
      : /(Chrom(e|ium)|CriOS)\//.test(userAgent)
        ? 'Chrome'
        : /Safari\//.test(userAgent)
          ? 'Safari'
          : 'Other browser'
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1]?.replace('Mac OS X', 'macOS')
  return system === undefined ? browser : `${browser} on ${system}`
}
