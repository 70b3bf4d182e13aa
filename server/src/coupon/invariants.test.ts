import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { offCluster, reasons } from '../testing/cluster/off-cluster.ts'

let s: Shop
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  s = await testShop()
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await s.close()
})

offCluster(reasons.move)(
  'a coupon is used exactly when its owner has a redemption that was not undone',
  async () => {
    const [anna, ben] = [await testMember(s), await testMember(s)]
    const code = await testCoupon(s, anna)
    const found = (used: boolean, count: number) =>
      `usedOnce: coupon ${code}: used ${used ? 't' : 'f'}, ` +
      `${count} standing redemptions of this member`
    const write = (sql: string, ...values: unknown[]) => owner.query(sql, [s.id, code, ...values])
    const use = 'update coupon set used = $3 where company_id = $1 and coupon_code = $2'
    expect(await s.violations()).toEqual([])
    await write(use, true)
    expect(await s.violations()).toEqual([found(true, 0)])
    await write(
      `insert into coupon_redemption (company_id, coupon_code, member_id, store_code)
     values ($1, $2, $3, 'S1')`,
      anna.id,
    )
    expect(await s.violations()).toEqual([])
    await write(use, false)
    expect(await s.violations()).toEqual([found(false, 1)])
    // A redemption by another member is one that no coupon of theirs has.
    await write(use, true)
    const move = 'update coupon_redemption set member_id = $3 where company_id = $1'
    // Foreign keys could refuse it.
    await owner.query('set session_replication_role = replica')
    await write(`${move} and coupon_code = $2`, ben.id)
    await owner.query('set session_replication_role = origin')
    expect((await s.violations()).toSorted()).toEqual([found(false, 1), found(true, 0)])
  },
)
