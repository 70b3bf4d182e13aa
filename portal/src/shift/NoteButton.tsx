import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import NotePencilIcon from 'virtual:icons/note-pencil'
import { noteLimit, writeShiftNote } from '@tillside/contract/activity'
import { failures } from '@tillside/contract/wire/failures'
import { type ReactNode, useId, useState } from 'react'
import { call } from '../kit/call/call.ts'
import { reasonOf, refusalData } from '../kit/call/failure.ts'
import { useOnline } from '../kit/device/online.ts'
import { takeDraft, useDraft } from '../kit/store/draft.ts'
import { FieldError } from '../ui/field/FieldError.tsx'
import { useControlled } from '../ui/field/useControlled.ts'
import { Sheet } from '../ui/layer/Sheet.tsx'
import { Button } from '../ui/page/Button.tsx'
import { notesKey } from './notes.ts'

const draftName = 'shift-note'

function draft(): string {
  const kept = takeDraft(draftName)
  return typeof kept === 'string' ? kept : ''
}

/** Opens the form for a note to the colleagues at this store. */
export function NoteButton(): ReactNode {
  const { t } = useLingui()
  const queries = useQueryClient()
  const online = useOnline()
  const [text, setText] = useState(draft)
  const [open, setOpen] = useState(text !== '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  useDraft(draftName, () => (text.trim() === '' ? null : text))
  const label = t({ id: 'note.leave', message: 'Leave a note' })

  async function send(): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      await call(writeShiftNote, { text }, { quiet: true })
      setText('')
      setOpen(false)
    } catch (cause) {
      const [field] = refusalData(cause, failures.invalid)?.fields ?? []
      const lost = t({ id: 'note.failed', message: 'The note may not be saved. Send it again.' })
      setError(field?.message ?? reasonOf(cause) ?? lost)
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey: notesKey })
    }
  }

  return (
    <>
      <span className="-mx-3">
        <Button
          kind="text"
          size="small"
          icon={<NotePencilIcon size={20} aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          {label}
        </Button>
      </span>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        busy={busy}
        title={t({ id: 'note.new', message: 'Note for the next clerk' })}
        note={t({
          id: 'note.hint',
          message: 'Your colleagues at this store see it when they log in, for seven days.',
        })}
        actions={
          <>
            <Button
              kind="filled"
              size="large"
              busy={busy}
              disabled={text.trim() === '' || !online}
              onClick={() => void send()}
            >
              {label}
            </Button>
            <Button kind="text" size="large" disabled={busy} onClick={() => setOpen(false)}>
              {t({ id: 'common.cancel', message: 'Cancel' })}
            </Button>
          </>
        }
      >
        <NoteField
          value={text}
          limit={noteLimit}
          error={error}
          disabled={busy}
          onChange={(typed) => {
            setText(typed)
            setError(undefined)
          }}
        />
      </Sheet>
    </>
  )
}

type NoteFieldProps = {
  value: string
  /** In characters. More can be typed, so that no pasted text is cut silently. */
  limit: number
  error: string | undefined
  disabled: boolean
  onChange: (value: string) => void
}

/** A field of several lines that counts its characters. */
function NoteField({ value, limit, error, disabled, onChange }: NoteFieldProps): ReactNode {
  const { t } = useLingui()
  const id = useId()
  const restore = useControlled()
  const used = Array.from(value).length
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-small font-medium text-ink2">
        {t({ id: 'note.field', message: 'Note' })}
      </label>
      <textarea
        id={id}
        rows={5}
        value={value}
        dir="auto"
        disabled={disabled}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-count${error === undefined ? '' : ` ${id}-error`}`}
        onChange={(event) => {
          onChange(event.target.value)
          restore()
        }}
        className={
          'field-frame w-full resize-y rounded-field border bg-surface px-3.5 py-3 text-body ' +
          `text-ink ${error === undefined ? 'border-control' : 'border-danger'}`
        }
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <div role="alert">
          {error === undefined ? null : <FieldError id={`${id}-error`}>{error}</FieldError>}
        </div>
        <p
          id={`${id}-count`}
          className={`num ms-auto text-small ${used > limit ? 'text-danger' : 'text-ink2'}`}
        >
          {used} / {limit}
        </p>
      </div>
    </div>
  )
}
