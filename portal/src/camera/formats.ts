/** What members' cards, coupons and telephones show. */
export const formats = ['qr_code', 'code_128', 'ean_13'] as const
