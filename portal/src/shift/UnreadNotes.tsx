import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readShiftNote, type ShiftNote } from '@tillside/contract/activity'
import type { ReactNode } from 'react'
import { call } from '../kit/call/call.ts'
import { useOnline } from '../kit/device/online.ts'
import { Button } from '../ui/page/Button.tsx'
import { NoteText } from './Notes.tsx'
import { notesKey, useNotes } from './notes.ts'

/** The notes of colleagues that this clerk has not confirmed, on the page after the login. */
export function UnreadNotes(): ReactNode {
  const { t } = useLingui()
  const { data = [] } = useNotes()
  const unread = data.filter(({ read }) => !read)
  if (unread.length === 0) return null
  return (
    <section aria-labelledby="notes" className="mt-6 flex flex-col gap-2">
      <h2 id="notes" className="text-strong">
        {t({ id: 'note.title', message: 'Hand-over notes' })}
      </h2>
      <ul className="flex flex-col gap-3">
        {unread.map((note) => (
          <UnreadNote key={note.noteId} note={note} />
        ))}
      </ul>
    </section>
  )
}

function UnreadNote({ note }: { note: ShiftNote }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const online = useOnline()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(readShiftNote, { noteId: note.noteId }),
    onSettled: () => queries.invalidateQueries({ queryKey: notesKey }),
  })
  return (
    <li
      className={
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border ' +
        'border-line bg-surface p-4'
      }
    >
      <div className="min-w-0 flex-1 basis-60">
        <NoteText note={note} />
      </div>
      <Button
        kind="outlined"
        size="small"
        busy={isPending}
        disabled={!online}
        reason={t({ id: 'off.short', message: "You're offline." })}
        onClick={() => mutate()}
      >
        {t({ id: 'note.read', message: 'Got it' })}
      </Button>
    </li>
  )
}
