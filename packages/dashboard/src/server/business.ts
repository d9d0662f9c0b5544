// Which business this tab shows. The session is shared by every tab of a browser and can be turned to another business in
// any of them, so each request says whom it is meant for; the server refuses it for anybody else.

let shown: string | null = null

export function showBusiness(slug: string | null): void {
  shown = slug
}

/** Whether the session is no longer in the business that this tab shows. */
export const hasMoved = (slug: string) => shown !== null && shown !== slug

/** Requests about the session do not name a business: that is how a tab finds out that it moved. */
export function businessHeader(path: string): Readonly<Record<string, string>> {
  return shown === null || path.startsWith('/v1/auth/') ? {} : { 'Kestrel-Business': shown }
}
