/** The formats on member cards, coupons and telephone screens. */
export const formats = ['qr_code', 'code_128', 'ean_13'] as const
