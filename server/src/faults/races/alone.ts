import { randomUUID } from 'node:crypto'
import { findMember } from '@tillside/contract/integration/members'
import { postTransactions } from '@tillside/contract/integration/transactions'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith } from '../../testing/factories/spending.ts'
import { answeredAtOnce, type Door, send, sendAsTill } from '../doors.ts'
import { given, run } from './course.ts'

/**
 * Makes every change once at a door, for a new member, where nothing races.
 * @returns the names of those that the process has answered in one round trip, by its metrics
 */
export async function alone(door: Door, shop: Shop): Promise<string[]> {
  const names: string[] = []
  const member = await memberWith(shop, given)
  await sendAsTill(door, findMember, { memberCode: member.memberCode })
  const counted = async (name: string, path: string, work: () => Promise<string>) => {
    const before = await answeredAtOnce(door, { path })
    const answer = await work()
    if ((await answeredAtOnce(door, { path })) === before + 1) names.push(name)
    return answer
  }
  await run(shop, member, {
    change: ({ name, endpoint, input }) =>
      counted(name, endpoint.path, () => send({ door, endpoint, key: randomUUID(), input })),
    record: async (name, input) => {
      const items = [input]
      await counted(name, postTransactions.path, () =>
        sendAsTill(door, postTransactions, { items }),
      )
    },
  })
  return names
}
