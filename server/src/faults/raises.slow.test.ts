import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { contentsOf } from '../testing/contents.ts'
import { takesOneRoundTrip } from '../testing/factories/company.ts'
import { memberWith } from '../testing/factories/spending.ts'
import { calls } from './changes/calls.ts'
import { changeOf, Desk } from './changes/desk.ts'

// PostgreSQL raises an error near the end of a change that is one round trip, or ends the
// connection: when it writes the audit row, after the effects, when it writes an event, or at the
// commit. Or it does not call the
// function, because the holder has changed.

const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  await owner.connect()
  // A sequence keeps its value when the transaction is rolled back.
  await owner.query(`create schema raising;
    create table raising.plan (company_id uuid, moment text, times int, state text);
    create sequence raising.turn;
    create function raising.raise() returns trigger language plpgsql security definer as $$
    declare
      v_state text;
    begin
      select state into v_state from raising.plan
        where company_id = new.company_id and moment = tg_argv[0] and times > 0
          and nextval('raising.turn') <= times;
      if v_state = 'killed' then
        perform pg_terminate_backend(pg_backend_pid());
        perform pg_sleep(60);
      elsif found then
        raise exception 'near the end' using errcode = v_state;
      end if;
      return new;
    end $$;
    create trigger raise_late before insert on audit
      for each row when (new.action not like 'member.lookUp%')
      execute function raising.raise('in the function');
    create trigger raise_in_events before insert on event
      for each row execute function raising.raise('in its events');
    create constraint trigger raise_at_commit after insert on audit
      deferrable initially deferred
      for each row when (new.action not like 'member.lookUp%')
      execute function raising.raise('at the commit')`)
})
afterAll(async () => {
  await owner.query('drop schema raising cascade')
  await owner.end()
})

const raiseNothing = () => owner.query('delete from raising.plan')

const always = ['in the function', 'at the commit']
const desks = [
  { place: 'in a company without a webhook', hasWebhook: false, moments: always },
  { place: 'in a company with a webhook', hasWebhook: true, moments: [...always, 'in its events'] },
]

describe.each(desks)('$place', ({ hasWebhook, moments }) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await Desk.of(openDatabase(inject('databaseUrl')), hasWebhook)
    await owner.query(`select set_config('app.company_id', $1, false)`, [desk.shop.id])
  })
  afterAll(async () => {
    expect(await desk.shop.violations()).toEqual([])
    await desk.shop.close()
  })

  /** Lets so many changes fail. @param state the error's code; `killed` ends the connection */
  async function raise(moment: string, times: number, state: string): Promise<void> {
    await raiseNothing()
    const row = [desk.shop.id, moment, times, state]
    await owner.query('insert into raising.plan values ($1, $2, $3, $4)', row)
    await owner.query(`select setval('raising.turn', 1, false)`)
  }

  describe.each(calls)('$name', ({ prepare, success, repeated, busy, fails }) => {
    /** The rows after the change in one round trip without an error. */
    let expected: ReturnType<typeof changeOf>
    beforeAll(async () => {
      for (const _ of [1, 2]) await nextChange()
      const { send, change } = await nextChange()
      expect((await send()).body).toMatch(success)
      expect(desk.counted.includes(true)).toBe(takesOneRoundTrip)
      expected = await change()
      const events = [expected.before, expected.rows].map((rows) => rows['event']?.length ?? 0)
      expect((events[1] ?? 0) > (events[0] ?? 0)).toBe(hasWebhook)
    })

    /** A change of a member whom the process knows, and the state before it. */
    async function nextChange() {
      const member = await memberWith(desk.shop, 5000)
      await (
        await prepare(desk, member)
      )(randomUUID())
      const [send, own] = [await prepare(desk, member), randomUUID()]
      desk.counted.length = 0
      const before = await desk.stateOf(member, own)
      const change = async () => changeOf(before, await desk.stateOf(member, own))
      return { send: () => send(own), change, before, state: () => desk.stateOf(member, own) }
    }

    /** Sends a change that succeeds, and repeats it. */
    async function sendTwice({ send, change }: Awaited<ReturnType<typeof nextChange>>) {
      const answer = await send()
      await raiseNothing()
      expect(answer.body).toMatch(success)
      expect(await change()).toEqual(expected)
      expect(await send()).toMatchObject(repeated(answer))
      expect(await change()).toEqual(expected)
    }

    test('whose holder has changed is answered the long way', async () => {
      const next = await nextChange()
      await owner.query('select change_epoch($1)', [desk.shop.id])
      await sendTwice(next)
      expect(desk.counted).not.toContain(true)
    })

    describe.each(moments)('that PostgreSQL refuses %s', (moment) => {
      // Without the function the long way fails, which the last test repeats.
      test.runIf(takesOneRoundTrip)('once is answered the long way after an error', async () => {
        const next = await nextChange()
        await raise(moment, 1, 'P0001')
        await sendTwice(next)
        expect(desk.counted).not.toContain(true)
      })

      test('once is tried again after a conflict', async () => {
        const next = await nextChange()
        await raise(moment, 1, '40001')
        await sendTwice(next)
        expect(desk.counted.includes(true)).toBe(takesOneRoundTrip)
      })

      test('once by the end of its connection: nothing has changed', async () => {
        const next = await nextChange()
        await raise(moment, 1, 'killed')
        const failed = await next.send()
        await raiseNothing()
        expect(failed.statusCode).toBe(503)
        expect(await next.state()).toEqual(next.before)
        await sendTwice(next)
      })

      test.each([
        ['once because it is busy: a 503 says so', 1, '57014', 503, busy],
        ['each time: the answer is a failure', 1_000, 'P0001', ...fails],
      ] as const)(
        '%s, and the key can be used again',
        async (_name, times, state, status, text) => {
          const next = await nextChange()
          const contents = await contentsOf(desk.shop)
          await raise(moment, times, state)
          const failed = await next.send()
          await raiseNothing()
          expect(failed.statusCode).toBe(status)
          expect(failed.body).toContain(text)
          expect(await next.state()).toEqual(next.before)
          expect(await contentsOf(desk.shop)).toEqual(contents)
          await sendTwice(next)
        },
      )
    })
  })
})
