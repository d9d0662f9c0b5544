// The little HTML that the pages need.
import { escapeHtml } from '../../core/html.ts'

/** Escapes a text and shows parts between `backticks` as code. */
export function codeInHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/**
 * The path from a page to the root of the service, so that links also work behind a proxy's path: `/docs` and `/docs/`
 * are the same page here, but not the same folder to a browser.
 */
export function rootFrom(url: string): string {
  const path = url.split('?')[0] ?? ''
  return '../'.repeat(path.split('/').length - 2) || './'
}
