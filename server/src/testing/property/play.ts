import { integrationBase } from '@tillside/contract/integration/endpoint'
import { postMembers, readMember } from '@tillside/contract/integration/members'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { findViolations } from '../../jobs/invariants.ts'
import { addDays } from '../model/days.ts'
import { type ModelRules, minutes, special } from '../model/rules.ts'
import { ModelAccount } from '../model/account.ts'
import { statement, type Transaction } from '../../database/database.ts'
import { applyAct } from './acts.ts'
import type { Step } from './steps.ts'
import { count, type Person, post, type Side, type TestSystem, type World } from './requests.ts'
import { newTestMember } from '../factories/member.ts'

// Runs random steps in two companies at once and compares each result with the model.

const began = '2023-12-01'
const readLedger = statement(
  `select array(select array[e.type - 100000000, e.points] from point_entry e
       where e.company_id = $1 and e.member_id = k.member_id order by e.seq) as entries,
     array(select array[l.remaining::text, l.active_from::text, l.expires_on::text]
       from point_lot l where l.company_id = $1 and l.member_id = k.member_id and l.remaining > 0
       order by l.expires_on, l.earned_at, l.lot_id) as lots
   from member_key k where k.company_id = $1 and k.kind = 'code' and k.value = $2`,
  z.object({
    entries: z.array(z.array(z.pipe(z.string(), z.transform(Number)))),
    lots: z.array(z.array(z.string())),
  }),
)
/** Runs the steps in both companies; after each step the engine must match the model. */
export async function play(
  stage: TestSystem,
  worlds: readonly World[],
  life: readonly Step[],
): Promise<void> {
  let clock = Date.parse('2023-12-20T12:00:00Z')
  const sides = await Promise.all(
    worlds.map(async (world) => {
      await stage.setClock(world.id, clock)
      const people = [0, 1, 2].map(() => newPerson(world.rules))
      const side = { ...world, stage, people }
      const items = people.map(({ code }) => signUp(code))
      const { created } = await post(side, postMembers, items)
      expect(created).toBe(people.length)
      return side
    }),
  )
  for (const { company, member, wait, minute, twice, act } of life) {
    const side = sides[company]
    const person = side?.people[member]
    if (side === undefined || person === undefined) throw new Error('the step names no member')
    const minuteOfDay = minutes[minute % minutes.length] ?? 0
    const next = nextDay(person, new Date(clock).toISOString().slice(0, 10), wait)
    clock = Math.max(clock + 1000, Date.parse(`${next}T00:00:00Z`) + minuteOfDay * 60_000)
    await stage.setClock(side.id, clock)
    const day = person.model.dayOf(clock)
    await applyAct({ side, person, at: clock, day, twice }, act)
    const touched = act.kind === 'expire' || act.kind === 'review' ? side.people : [person]
    for (const other of touched) await compare(side, other, day)
    expect(await stage.database.reading(side.id, (tx) => violationsOf(tx, side.id))).toEqual([])
  }
  for (const { model } of sides.flatMap(({ people }) => people)) {
    for (const [type] of model.entries) count(stage, `type ${type}`)
    count(stage, `tier ${model.tier.level}`)
  }
}

function nextDay({ model }: Person, today: string, wait: Step['wait']): string {
  if (typeof wait === 'number') return addDays(today, wait)
  const tomorrow = addDays(today, 1)
  if (wait === 'special') return special.find((day) => day > today) ?? tomorrow
  const end = model.nextEnd(today) ?? tomorrow
  return wait === 'end' ? end : addDays(end, 1)
}

function newPerson(rules: ModelRules): Person {
  const { memberCode: code } = newTestMember()
  return { code, model: new ModelAccount(rules, began), sales: [], spendings: [] }
}

function signUp(memberCode: string) {
  const { uniCustomerNo, cardNumber, firstName } = newTestMember()
  return { memberCode, uniCustomerNo, cardNumber, firstName, registrationDate: began }
}

async function violationsOf(tx: Transaction, companyId: string): Promise<string[]> {
  return (await findViolations(tx, companyId)).map((v) => `${v.invariant}: ${v.found}`)
}

/** Compares the member as a till reads it, and the ledger, with the model. */
async function compare(side: Side, { code, model }: Person, day: string): Promise<void> {
  const { stage, id, key } = side
  const path = integrationBase + readMember.path.replace('{memberCode}', code)
  const answer = await stage.ask('GET', path, { authorization: `Bearer ${key}` })
  const { tier, points } = readMember.data.parse(answer)
  const ledger = await stage.database.reading(id, (tx) => tx.one(readLedger, [id, code]))
  const { code: tierCode, startDate, expiryDate, gradeSpend, gapToNextTier, gapToRenew } = tier
  expect({
    ...ledger,
    tier: { code: tierCode, startDate, expiryDate, gradeSpend, gapToNextTier, gapToRenew },
    balance: points.balance,
    valid: points.valid,
    expiringSoon: points.expiringSoon,
  }).toEqual({
    entries: model.entries,
    lots: model.open().map((lot) => [String(lot.left), lot.from, lot.until]),
    tier: model.tier.standing(day),
    balance: model.balance,
    valid: Math.max(0, model.valid(day)),
    expiringSoon: model.expiring(day),
  })
}
