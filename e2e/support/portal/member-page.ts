import type { Data } from '@tillside/contract/wire/endpoint'
import { getCustomerCoupons, redeemCoupon } from '@tillside/contract/coupon'
import type { Locator, Page } from '@playwright/test'
import type { Api } from '../demo/api.ts'
import type { Customer } from '../demo/shop.ts'

/** The English name of the demo's birthday coupon. */
export const birthday = 'Birthday treat: any pastry on us'

export const couponTicket = (page: Page, name = birthday): Locator =>
  page.getByRole('main').getByRole('article', { name })

export const sheet = (page: Page): Locator => page.getByRole('dialog')

/** Opens a member's page. */
export async function openMember(page: Page, company: string, code: string): Promise<void> {
  await page.goto(`/${company}/member/home/view?code=${code}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Hears the redemptions that the page sends. @returns the Idempotency-Key of each, in order */
export function listenForRedeems(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(redeemCoupon.path)) {
      keys.push(request.headers()['idempotency-key'] ?? '')
    }
  })
  return keys
}

/** The member's coupons as the server knows them. */
export async function couponsOf(
  api: Api,
  token: string,
  { memberCode }: Pick<Customer, 'memberCode'>,
): Promise<Data<typeof getCustomerCoupons>['items']> {
  const { items } = await api.data(getCustomerCoupons, { memberCode }, { token })
  return items
}
