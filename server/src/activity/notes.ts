import {
  type listShiftNotes,
  noteDays,
  type readShiftNote,
  type writeShiftNote,
} from '@tillside/contract/activity'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { toInstant } from '../member/member.ts'

/** SQL: whether the note `n` of the caller's store is still shown. */
const isShown = `n.company_id = $1 and n.store_code = $2
  and n.written_at > now() - make_interval(days => ${noteDays})`

const Name = z.object({ firstName: z.string(), lastName: z.string() })
const readNotes = statement(
  `select n.note_id, n.text, n.written_at, s.first_name, s.last_name, n.staff_id = $3 as own,
     n.staff_id = $3 or exists (
       select from shift_note_reader r where r.company_id = n.company_id
         and r.note_id = n.note_id and r.staff_id = $3) as read,
     (select coalesce(json_agg(json_build_object(
          'firstName', c.first_name, 'lastName', c.last_name) order by r.read_at), '[]')
       from shift_note_reader r join staff c using (company_id, staff_id)
       where r.company_id = n.company_id and r.note_id = n.note_id) as readers
   from shift_note n join staff s using (company_id, staff_id)
   where ${isShown} order by n.written_at desc, n.note_id desc limit 50`,
  z.object({
    note_id: z.string(),
    text: z.string(),
    written_at: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    own: z.boolean(),
    read: z.boolean(),
    readers: z.array(Name),
  }),
)

/** The notes that the caller's store still shows, newest first. */
export async function readNoteList({
  tx,
  company,
  store,
  staff,
}: Context<typeof listShiftNotes>): Promise<Data<typeof listShiftNotes>> {
  const rows = await tx.all(readNotes, [company.id, store.code, staff.id])
  return {
    items: rows.map((row) => ({
      noteId: row.note_id,
      text: row.text,
      writtenAt: toInstant(row.written_at),
      firstName: row.first_name,
      lastName: row.last_name,
      own: row.own,
      read: row.read,
      readers: row.readers,
    })),
  }
}

const insertNote = statement(
  `insert into shift_note (company_id, store_code, staff_id, written_on, text)
   values ($1, $2, $3, $4, $5) on conflict do nothing returning note_id`,
  z.object({ note_id: z.string() }),
)

/**
 * Leaves a note for the colleagues at this store. The audit row names the note; its text may have
 * personal data, and the audit log is kept longer.
 */
export async function writeNote(
  { tx, company, store, staff, today, changed }: Context<typeof writeShiftNote>,
  { text }: Input<typeof writeShiftNote>,
): Promise<Data<typeof writeShiftNote>> {
  const row = [company.id, store.code, staff.id, today, text]
  const written = await tx.maybe(insertNote, row)
  if (written === null) return null
  changed({ action: 'shift.note', memberId: null, details: { noteId: written.note_id } })
  return null
}

const insertReader = statement(
  `insert into shift_note_reader (company_id, note_id, staff_id)
   select n.company_id, n.note_id, $3 from shift_note n
   where ${isShown} and n.note_id = $4 and n.staff_id <> $3
   on conflict do nothing`,
  z.unknown(),
)

/** Confirms a note of a colleague at this store. */
export async function confirmNote(
  { tx, company, store, staff, changed }: Context<typeof readShiftNote>,
  { noteId }: Input<typeof readShiftNote>,
): Promise<Data<typeof readShiftNote>> {
  const confirmed = await tx.run(insertReader, [company.id, store.code, staff.id, noteId])
  if (confirmed === 1) {
    changed({ action: 'shift.noteRead', memberId: null, details: { noteId: noteId.toLowerCase() } })
  }
  return null
}
