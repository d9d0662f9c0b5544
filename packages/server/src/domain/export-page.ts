/**
 * Rows per page of an export. Nobody else is answered while a page is parsed and written: of a thousand payouts that takes a tenth of a
 * second, and a request needs several turns.
 */
export const EXPORT_PAGE = 100
