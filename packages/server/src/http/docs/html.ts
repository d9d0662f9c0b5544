// The little that the pages need to be HTML.
import { escapeHtml } from '../../core/html.ts'

/** Escapes a text and shows what stands between `backticks` as code. */
export function codeInHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/**
 * The way from a page to the root of the service, so that links hold behind a proxy's path as well: `/docs` and
 * `/docs/` are the same page here and not the same folder to a browser.
 */
export function rootFrom(url: string): string {
  const path = url.split('?')[0] ?? ''
  return '../'.repeat(path.split('/').length - 2) || './'
}
