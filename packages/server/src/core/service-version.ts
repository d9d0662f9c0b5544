export const SERVICE_NAME = 'Kestrel Payouts'
/** The release of the interface description (spec, part 9). */
export const SERVICE_VERSION = '1.3.0'
