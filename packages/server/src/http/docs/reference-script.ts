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
  hiddenClients: { c: true, clojure: true, objc: true, ocaml: true, r: true, swift: true, dart: true, fsharp: true, powershell: true },
})
`
