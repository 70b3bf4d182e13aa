import {
  listShiftNotes,
  noteLimit,
  readShiftNote,
  type ShiftNote,
  writeShiftNote,
} from '@tillside/contract/activity'
import { languages } from '@tillside/contract/wire/language'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { post, type ServerProcess, startServer } from '../testing/servers/process.ts'
import { forgetShiftNotes } from './forget-notes.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
})
afterAll(() => company.close())

const notes = async (by: string) => (await ok(company, listShiftNotes, {}, { token: by })).items
const write = (text: string, by = token, language = 'en-US') =>
  call(company, writeShiftNote, { text }, { token: by, language })
const textsOf = (items: readonly ShiftNote[]) => items.map(({ text }) => text)
const run = (sql: string, values: readonly unknown[] = []) =>
  company.database.transaction(company.id, (tx) =>
    tx.run(statement(sql, z.unknown()), [company.id, ...values]),
  )
const auditRow = z.object({ details: z.record(z.string(), z.unknown()) })
const audits = (action: string) =>
  company.database.transaction(company.id, (tx) =>
    tx.all(statement('select details from audit where company_id = $1 and action = $2', auditRow), [
      company.id,
      action,
    ]),
  )

describe('a hand-over note', () => {
  test('is shown to the colleagues at the store until each has read it', async () => {
    const text = 'The fridge is being repaired at 15:00.\nKeys: drawer 👍🏽'
    expect((await write(text)).code).toBe(0)
    const [cai, di] = [await testClerk(company, 'cai'), await testClerk(company, 'di')]
    const [own] = await notes(token)
    expect(own).toMatchObject({ text, own: true, read: true, readers: [], firstName: 'amy' })
    const [seen] = await notes(cai)
    expect(seen).toMatchObject({ text, own: false, read: false })
    const noteId = seen?.noteId
    for (let times = 0; times < 2; times++) {
      await ok(company, readShiftNote, { noteId }, { token: cai })
    }
    expect((await notes(cai))[0]).toMatchObject({ read: true })
    expect((await notes(di))[0]).toMatchObject({ read: false })
    const reader = { firstName: 'cai', lastName: 'Test' }
    expect((await notes(token))[0]?.readers).toEqual([reader])
    // The audit log has no text: it is kept longer than the note.
    expect(await audits('shift.note')).toEqual([{ details: { noteId } }])
    expect(await audits('shift.noteRead')).toEqual([{ details: { noteId } }])
  })

  test('is not shown at another store, nor confirmed from there or by its author', async () => {
    const away = await testClerk(company, 'eli', { storeCode: 'S2' })
    await write('Only for S1')
    const noteId = (await notes(token)).find(({ text }) => text === 'Only for S1')?.noteId
    expect(await notes(away)).toEqual([])
    const other = await testCompany()
    const stranger = await logIn(other)
    expect((await ok(other, listShiftNotes, {}, { token: stranger })).items).toEqual([])
    const before = await contentsOf(company)
    await ok(company, readShiftNote, { noteId }, { token: away })
    await ok(company, readShiftNote, { noteId }, { token })
    await ok(other, readShiftNote, { noteId }, { token: stranger })
    expect(await contentsOf(company)).toEqual(before)
    await other.close()
  })

  test('that is older than seven days is not shown, and the job deletes it', async () => {
    await testClerk(company, 'fay')
    const reader = await testClerk(company, 'gus')
    for (const age of ['6 days 23 hours', '7 days 1 minute']) {
      await run(
        `insert into shift_note (company_id, store_code, staff_id, written_on, text, written_at)
         select company_id, store_code, staff_id, current_date, $2::text,
           now() - ($2::text)::interval
         from staff where company_id = $1 and account = 'fay'`,
        [age],
      )
    }
    expect(textsOf(await notes(reader))).toContain('6 days 23 hours')
    expect(textsOf(await notes(reader))).not.toContain('7 days 1 minute')
    const forget = () =>
      company.database.transaction(company.id, (tx) => forgetShiftNotes(tx, company.id, 100))
    expect(await forget()).toBe(1)
    expect(await forget()).toBe(0)
    expect(textsOf(await notes(reader))).toContain('6 days 23 hours')
  })
})

describe('a text that cannot be a note', () => {
  const longest = 'x'.repeat(noteLimit)
  test.each([
    ['empty', '', 'required'],
    ['only spaces and line ends', ' \n\u3000\r\n', 'required'],
    ['501 characters', `${longest}x`, 'tooLong'],
    ['501 emoji', '🧊'.repeat(501), 'tooLong'],
    ['16,000 characters', 'x'.repeat(16_000), 'tooLong'],
    ['a bell', 'ring\u0007', 'text'],
    ['a null', 'a\u0000b', 'text'],
    ['a tab', 'a\tb', 'text'],
    ['an escape', '\u001b[31mred', 'text'],
    ['a right-to-left override', 'pay \u202e001', 'text'],
    ['a right-to-left mark', 'pay \u200f001', 'text'],
    ['an isolate', '\u2067x', 'text'],
    ['a line separator', 'a\u2028b', 'text'],
    ['a zero-width space', 'a\u200bb', 'text'],
    ['half of an emoji', 'a\ud83d', 'text'],
  ])('%s is refused at the field in four languages', async (_, text, reason) => {
    const before = await contentsOf(company)
    const messages = new Set<string>()
    for (const language of languages) {
      const answer = await write(text, token, language)
      expect(answer).toMatchObject({ code: 422, data: { fields: [{ path: 'text', reason }] } })
      messages.add(JSON.stringify(answer.data))
    }
    expect(messages.size).toBeGreaterThan(1)
    expect(await contentsOf(company)).toEqual(before)
  })

  test.each([
    ['as long as it may be', longest, longest],
    ['500 emoji', '🧊'.repeat(noteLimit), '🧊'.repeat(noteLimit)],
    ['a family emoji', 'for 👨‍👩‍👧', 'for 👨‍👩‍👧'],
    ['lines of Windows', 'one  \r\n\r\n\r\n\r\ntwo ', 'one\n\ntwo'],
    ['Hebrew and Chinese', 'שלום 你好', 'שלום 你好'],
  ])('%s is a note', async (_, text, kept) => {
    const hal = await testClerk(company, `hal${crypto.randomUUID().slice(0, 8)}`)
    expect((await write(text, hal)).code).toBe(0)
    expect((await notes(hal)).find(({ own }) => own)?.text).toBe(kept)
  })
})

describe('at once, at two server processes', () => {
  const servers: ServerProcess[] = []
  let addresses: string[] = []
  beforeAll(async () => {
    const url = { DATABASE_URL: inject('ownerUrl') }
    servers.push(startServer(url), startServer(url))
    addresses = await Promise.all(servers.map(({ ready }) => ready))
  })
  afterAll(() => {
    for (const { process } of servers) process.kill('SIGKILL')
  })
  const send = (n: number, text: string, by: string) =>
    post(addresses[n % 2] ?? '', writeShiftNote, { text }, { authorization: `Bearer ${by}` })

  test('two clerks have two notes, and one clerk who sends twice has one', async () => {
    const [ivy, jon] = [await testClerk(company, 'ivy'), await testClerk(company, 'jon')]
    for (let round = 0; round < 10; round++) {
      const text = `Round ${round}`
      const answers = await Promise.all([
        ...[0, 1, 2, 3].map((n) => send(n, text, ivy)),
        ...[0, 1, 2, 3].map((n) => send(n, text, jon)),
      ])
      expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0))
      const found = (await notes(ivy)).filter((note) => note.text === text)
      expect(found.map(({ firstName }) => firstName).toSorted()).toEqual(['ivy', 'jon'])
      const ids = new Set<unknown>(found.map(({ noteId }) => noteId))
      const rows = (await audits('shift.note')).filter(({ details }) => ids.has(details['noteId']))
      expect(rows).toHaveLength(2)
    }
  })
})
