import { useLingui } from '@lingui/react/macro'
import type { Member } from '@tillside/contract/member'
import type { Field, FormValues } from '../form/values.ts'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import type { Conflict } from './merge.ts'
import { useFieldText } from './useFieldText.ts'

type ConflictsProps = {
  conflicts: readonly Conflict[]
  /** The member with the other clerk's changes, as a member and as form values. */
  now: Member
  theirs: FormValues
  typed: FormValues
  onTakeTheirs: (field: Field) => void
}

/** Lists the fields that another clerk has changed in the meantime, with the clerk's own input. */
export function Conflicts({ conflicts, now, theirs, typed, onTakeTheirs }: ConflictsProps) {
  const { t } = useLingui()
  const write = useFieldText(now)
  return (
    <Notice tone="warning">
      <p>
        {t({
          id: 'prof.changed',
          message: 'Another clerk has changed this member. Check the changes and save again.',
        })}
      </p>
      <ul className="mt-2 flex flex-col gap-3">
        {conflicts.map((conflict) => (
          <Row
            key={conflict.field.name}
            conflict={conflict}
            saved={write(conflict.field, theirs)}
            mine={write(conflict.field, typed)}
            onTakeTheirs={onTakeTheirs}
          />
        ))}
      </ul>
    </Notice>
  )
}

type RowProps = Pick<ConflictsProps, 'onTakeTheirs'> & {
  conflict: Conflict
  saved: string
  mine: string
}

function Row({ conflict: { field, both }, saved, mine, onTakeTheirs }: RowProps) {
  const { t } = useLingui()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4">
      <dl className="min-w-0">
        <dt className="text-small text-ink2">{field.label}</dt>
        <dd className="break-words">
          {both ? t({ id: 'prof.theirs', message: `Saved: ${saved}` }) : saved}
        </dd>
        {both ? (
          <dd className="break-words">{t({ id: 'prof.mine', message: `Your entry: ${mine}` })}</dd>
        ) : null}
      </dl>
      {both ? (
        <Button kind="outlined" size="small" onClick={() => onTakeTheirs(field)}>
          {t({ id: 'prof.takeTheirs', message: 'Use the saved value' })}
        </Button>
      ) : null}
    </li>
  )
}
