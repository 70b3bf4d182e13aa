import { randomUUID } from 'node:crypto'
import { postTransactions } from '@tillside/contract/integration/transactions'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { contentsOf } from '../testing/contents.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { memberWith } from '../testing/factories/spending.ts'
import { changeOf, changes, Desk, inputOf } from './changes/changes.ts'

// PostgreSQL raises an error near the end of a change that is one round trip: when it writes the
// audit row, after the effects, or at the commit.

let desk: Desk
let owner: pg.Client
let key: string
beforeAll(async () => {
  desk = await Desk.of(openDatabase(inject('databaseUrl')))
  key = (await testKey(desk.shop)).key
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  const condition = `new.company_id = '${desk.shop.id}' and new.action not like 'member.lookUp%'`
  // A sequence keeps its value when the transaction is rolled back.
  await owner.query(`create schema raising;
    create table raising.plan (moment text, times int, state text);
    create sequence raising.turn;
    create function raising.raise() returns trigger language plpgsql security definer as $$
    declare
      v_state text;
    begin
      select state into v_state from raising.plan where moment = tg_argv[0] and times > 0
        and nextval('raising.turn') <= times;
      if found then
        raise exception 'near the end' using errcode = v_state;
      end if;
      return new;
    end $$;
    create trigger raise_late before insert on audit
      for each row when (${condition}) execute function raising.raise('in the function');
    create constraint trigger raise_at_commit after insert on audit
      deferrable initially deferred
      for each row when (${condition}) execute function raising.raise('at the commit')`)
})
afterAll(async () => {
  await owner.query('drop schema raising cascade')
  expect(await desk.shop.violations()).toEqual([])
  await owner.end()
  await desk.shop.close()
})

/** Lets so many changes fail. @param state the error's code */
async function raise(moment: string, times: number, state: string): Promise<void> {
  await owner.query('delete from raising.plan')
  await owner.query('insert into raising.plan values ($1, $2, $3)', [moment, times, state])
  await owner.query(`select setval('raising.turn', 1, false)`)
}
const raiseNothing = () => owner.query('delete from raising.plan')

type Member = { id: string; memberCode: string }
type Send = (key: string) => Promise<{ body: string; statusCode: number }>
type Call = {
  name: string
  prepare: (member: Member) => Promise<Send>
  /** In the answer to a success, and in a repeat's. */
  says: [first: string, again: string]
  /** The status and a part of the answer where the long way fails too. */
  fails: [status: number, text: string]
}
const ofClerk = Object.values(changes).map((change): Call => ({
  name: change.name,
  prepare: async (member) => {
    const input = await inputOf(change, desk, member)
    return (one) => desk.send(change.endpoint, one, input)
  },
  says: ['"code":0', '"code":0'],
  fails: [500, '"code":500'],
}))
const ofTill: Call = {
  name: 'a till’s sale',
  prepare: async ({ memberCode }) => {
    const items = [receipt([['TEA', '12.50', 2]], { memberCode })]
    return async () => {
      const { text, status } = await callWithKey(desk.shop, postTransactions, { items }, key)
      return { body: text, statusCode: status }
    }
  },
  says: ['"created":1', '"unchanged":1'],
  fails: [200, '"reason":"internal"'],
}

describe.each([...ofClerk, ofTill])('$name', ({ prepare, says: [first, again], fails }) => {
  /** A change of a member whom the process knows, and the state before it. */
  async function nextChange() {
    const member = await memberWith(desk.shop, 5000)
    await (
      await prepare(member)
    )(randomUUID())
    const [send, own] = [await prepare(member), randomUUID()]
    desk.counted.length = 0
    const before = await desk.stateOf(member, own)
    const change = async () => changeOf(before, await desk.stateOf(member, own))
    return { send: () => send(own), change, before, state: () => desk.stateOf(member, own) }
  }

  /** The rows after the change in one round trip without an error. */
  async function undisturbed() {
    for (const _ of [1, 2]) await nextChange()
    const { send, change } = await nextChange()
    expect((await send()).body).toContain(first)
    expect(desk.counted).toEqual([true])
    return change()
  }

  const moments = ['in the function', 'at the commit']
  describe.each(moments)('that PostgreSQL refuses %s', (moment) => {
    test.each([
      ['is answered the long way after an error', 'P0001', [false]],
      ['is tried again after a conflict', '40001', [true]],
    ])('once %s', async (_name, state, counted) => {
      const expected = await undisturbed()
      const { send, change } = await nextChange()
      await raise(moment, 1, state)
      const answer = await send()
      await raiseNothing()
      expect(answer.body).toContain(first)
      expect(desk.counted).toEqual(counted)
      expect(await change()).toEqual(expected)
      const repeated = await send()
      expect(repeated.body).toContain(again)
      if (first === again) expect(repeated).toEqual(answer)
      expect(await change()).toEqual(expected)
    })

    test.each([
      ['once because it is busy: a 503 says so', 1, '57014', 503, '"unchanged":true'],
      ['each time: the answer is a failure', 1_000, 'P0001', ...fails],
    ] as const)('%s, and the key can be used again', async (_name, times, state, status, text) => {
      const expected = await undisturbed()
      const { send, change, before, state: stateNow } = await nextChange()
      const contents = await contentsOf(desk.shop)
      await raise(moment, times, state)
      const failed = await send()
      await raiseNothing()
      expect(failed.statusCode).toBe(status)
      expect(failed.body).toContain(text)
      expect(await stateNow()).toEqual(before)
      expect(await contentsOf(desk.shop)).toEqual(contents)
      const answer = await send()
      expect(answer.body).toContain(first)
      expect(await change()).toEqual(expected)
      const repeated = await send()
      expect(repeated.body).toContain(again)
      if (first === again) expect(repeated).toEqual(answer)
      expect(await change()).toEqual(expected)
    })
  })
})
