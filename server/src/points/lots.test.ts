import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import {
  addDebit,
  addEarning,
  type EntryOrigin,
  type LockedAccount,
  lockAccount,
  noOrigin,
} from './ledger.ts'
import { lotsToSpend, lotsToTakeBack } from './lots.ts'
import { writeOff } from './expiry.ts'

const today = '2026-03-10'
const readMoments = statement(
  'select created_at from point_entry where member_id = $1 order by seq',
  z.object({ created_at: z.string() }),
)

describe('lots', () => {
  let s: Shop
  beforeAll(async () => {
    s = await testShop()
  })
  afterAll(() => s.close())

  /** Creates an account with these lots; the number of points identifies a lot. */
  async function withLots<T>(
    lots: readonly { points: number; at: string; from?: string; until: string | null }[],
    work: (account: LockedAccount, tx: Transaction, nameOf: (id: string) => number) => Promise<T>,
  ): Promise<T> {
    const member = await testMember(s)
    const result = await s.database.transaction(s.id, async (tx) => {
      const account = await lockAccount(tx, s.id, member.id)
      const names = new Map<string, number>()
      for (const { points, at, from = '2026-01-01', until } of lots) {
        const entry = await addEarning(account, {
          ...origin(`${at}T00:00:00Z`),
          type: 'earned',
          points,
          earnDate: at,
          activeFrom: from,
          expiresOn: until,
        })
        names.set(entry.id, points)
      }
      return work(account, tx, (id) => names.get(id) ?? 0)
    })
    expect(await s.violations()).toEqual([])
    return result
  }

  it('burns by earliest expiry, then by earliest earning; lots without expiry last', async () => {
    const lots = [
      { points: 1, at: '2026-02-01', until: null },
      { points: 2, at: '2026-02-03', until: '2026-12-31' },
      { points: 4, at: '2026-02-02', until: '2026-12-31' },
      { points: 8, at: '2026-02-04', until: '2026-06-30' },
      { points: 16, at: '2026-02-01', until: today },
    ]
    await withLots(lots, async (account, _, nameOf) => {
      const order = async (points: number) =>
        (await lotsToSpend(account, points, today))?.map((take) => [
          nameOf(take.lotId),
          take.points,
        ])
      expect(await order(31)).toEqual([
        [16, 16],
        [8, 8],
        [4, 4],
        [2, 2],
        [1, 1],
      ])
      expect(await order(26)).toEqual([
        [16, 16],
        [8, 8],
        [4, 2],
      ])
      expect(await order(32)).toBeUndefined()
    })
  })

  it('does not spend pending or expired lots, exact to the day', async () => {
    const lots = [
      { points: 1, at: '2026-02-01', until: '2026-03-09' },
      { points: 2, at: '2026-02-01', from: '2026-03-11', until: '2026-12-31' },
      { points: 4, at: '2026-02-01', from: today, until: today },
    ]
    await withLots(lots, async (account, _, nameOf) => {
      const spent = await lotsToSpend(account, 4, today)
      expect(spent?.map((take) => nameOf(take.lotId))).toEqual([4])
      expect(await lotsToSpend(account, 5, today)).toBeNull()
      // A return without a sale may take pending points.
      const back = await lotsToTakeBack(account, 9, today)
      expect(back.map((take) => nameOf(take.lotId))).toEqual([4, 2])
    })
  })

  it('writes off expired lots once, in order of expiry', async () => {
    const lots = [
      { points: 1, at: '2026-02-01', until: '2026-03-08' },
      { points: 2, at: '2026-02-01', until: '2026-03-07' },
      { points: 4, at: '2026-02-01', until: today },
    ]
    await withLots(lots, async (account) => {
      expect(await writeOff(account, today)).toBe(3)
      expect(await writeOff(account, today)).toBe(0)
      expect(account.balance).toBe(4)
      // Each entry has the time of the midnight of expiry: 16:00 UTC in Hong Kong.
      const moments = await account.tx.all(readMoments, [account.memberId])
      expect(moments.map((row) => row.created_at)).toEqual([
        ...Array.from({ length: 3 }, () => '2026-02-01T00:00:00.000Z'),
        '2026-03-07T16:00:00.000Z',
        '2026-03-08T16:00:00.000Z',
      ])
    })
  })

  it('refuses an entry of no points', async () => {
    await withLots([{ points: 5, at: '2026-02-01', until: null }], async (account) => {
      const entry = origin('2026-03-10T00:00:00Z')
      const nothing = { ...entry, type: 'redeemGift', points: 0, earnDate: null } as const
      await expect(
        addDebit(account, { ...nothing, expiryDate: null, reverses: null }, []),
      ).rejects.toThrow('0 points')
    })
  })
})

function origin(at: string): EntryOrigin {
  return { at, ...noOrigin }
}
