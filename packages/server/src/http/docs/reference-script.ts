/** Runs in the browser. Requests go to the address that the page came from, under whatever name. */
export const REFERENCE_SCRIPT = `'use strict'
const root = location.origin + location.pathname.replace(/\\/docs\\/?$/, '')
Scalar.createApiReference('#reference', {
  url: root + '/openapi.json',
  servers: [{ url: root, description: 'Sandbox and live; the API key decides which.' }],
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  hiddenClients: true,
})

// The library's own markup has barriers for those who do not see it; they are mended as it draws.
function mend() {
  for (const row of document.querySelectorAll('[aria-selected]:not([role])')) {
    if (row.getAttribute('aria-selected') === 'true') row.setAttribute('aria-current', 'true')
    else row.removeAttribute('aria-current')
    row.removeAttribute('aria-selected')
  }
  for (const button of document.querySelectorAll('button[role=search]')) button.removeAttribute('role')
  for (const button of document.querySelectorAll('button.show-more[aria-label]')) button.removeAttribute('aria-label')
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.tabIndex = 0
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])')) button.setAttribute('aria-label', 'Copy')
}
new MutationObserver(mend).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-selected', 'role', 'class'] })
`
