import { useLingui } from '@lingui/react/macro'
import { fullName } from '@tillside/contract/rules/person'
import type { ShiftNote } from '@tillside/contract/activity'
import CaretDownIcon from 'virtual:icons/caret-down'
import CaretUpIcon from 'virtual:icons/caret-up'
import { type ReactNode, useState } from 'react'
import { useDates, useDays, useToday } from '../company/calendar.ts'
import { useShopClock } from '../kit/text/clock.ts'
import { buttonClass } from '../ui/page/buttonClass.ts'
import { useNotes } from './notes.ts'

/** The hand-over notes of the store, folded, because the start page shows the new ones. */
export function Notes(): ReactNode {
  const { t } = useLingui()
  const { data = [] } = useNotes()
  const [open, setOpen] = useState(false)
  const Caret = open ? CaretUpIcon : CaretDownIcon
  if (data.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="-ms-3">
        <button
          type="button"
          aria-expanded={open}
          className={buttonClass('text', 'small')}
          onClick={() => setOpen(!open)}
        >
          {t({ id: 'note.title', message: 'Hand-over notes' })}
          <span className="num font-normal text-ink2">{data.length}</span>
          <Caret size={16} aria-hidden="true" className="print:hidden" />
        </button>
      </h2>
      <ul className={`flex-col gap-3 print:flex ${open ? 'flex' : 'hidden'}`}>
        {data.map((note) => (
          <li key={note.noteId} className="border-s-2 border-line ps-3">
            <NoteText note={note} />
            <Readers note={note} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The text of a note with its author and time. */
export function NoteText({ note }: { note: ShiftNote }): ReactNode {
  const { timeOf } = useShopClock()
  const dayOf = useDays()
  const dates = useDates()
  const today = useToday()
  const time = timeOf(Date.parse(note.writtenAt)).slice(0, 5)
  const day = dayOf(note.writtenAt) === today ? '' : `${dates(note.writtenAt)} `
  return (
    <>
      <p dir="auto" className="text-body break-words whitespace-pre-line">
        {note.text}
      </p>
      <p className="num text-small text-ink2">
        {fullName(note)} · {day}
        {time}
      </p>
    </>
  )
}

function Readers({ note: { own, readers } }: { note: ShiftNote }) {
  const { t } = useLingui()
  if (!own) return null
  const names = readers.map(fullName).join(', ')
  return (
    <p className="text-small text-ink2">
      {names === ''
        ? t({ id: 'note.unread', message: 'Not read yet' })
        : t({ id: 'note.readBy', message: `Read by ${names}` })}
    </p>
  )
}
