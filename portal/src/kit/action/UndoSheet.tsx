import { useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { Button } from '../../ui/page/Button.tsx'
import { Notice } from '../../ui/page/Notice.tsx'
import { Sheet } from '../../ui/layer/Sheet.tsx'
import { useControlled } from '../../ui/field/useControlled.ts'
import { type Action, isBusy } from './action.ts'
import { ActionButtons } from './ActionButtons.tsx'
import { AllowanceHint, type Giving } from './AllowanceHint.tsx'
import { ActionNotice } from './ActionNotice.tsx'
import { useAction, useOnAnswered } from './useAction.ts'

type UndoSheetProps = {
  open: boolean
  /** One sentence about the points or coupon that the member gets back. */
  note: string
  /** Makes the undo request; a different reason is a different request. */
  make: (reason: string) => Action<Giving>
  /** `isDone`: undone; otherwise the server has refused. */
  onAnswered: (isDone: boolean) => void
  onClose: () => void
}

/** Asks for the reason, which is stored with the entry, and undoes the action. */
export function UndoSheet({ open, note, make, onAnswered, onClose }: UndoSheetProps) {
  const { t } = useLingui()
  const reasons = [
    t({ id: 'undo.mistake', message: 'Entered by mistake' }),
    t({ id: 'undo.changed', message: 'The customer changed their mind' }),
    t({ id: 'undo.noGoods', message: 'The goods were not available' }),
  ]
  const [chosen, setChosen] = useState<number | null>(null)
  const reason = reasons[chosen ?? -1] ?? ''
  const { state, action } = useAction(() => make(reason), reason)
  useOnAnswered(state, () => onAnswered(state.step === 'done'))
  const done = state.step === 'done'
  return (
    <Sheet
      open={open}
      onClose={onClose}
      busy={isBusy(state)}
      title={
        done
          ? t({ id: 'undo.ok', message: 'Redemption undone' })
          : t({ id: 'undo.q', message: 'Undo this redemption?' })
      }
      note={note}
      actions={
        done ? (
          <Button kind="filled" size="large" onClick={onClose}>
            {t({ id: 'common.done', message: 'Done' })}
          </Button>
        ) : (
          <ActionButtons
            state={state}
            action={action}
            onClose={onClose}
            missing={
              chosen === null && state.step === 'confirm'
                ? t({ id: 'undo.why', message: 'Choose a reason first.' })
                : undefined
            }
            label={t({ id: 'undo.do', message: 'Undo redemption' })}
            busyLabel={t({ id: 'undo.busy', message: 'Undoing…' })}
          />
        )
      }
    >
      {state.step === 'confirm' ? (
        <Reasons reasons={reasons} chosen={chosen} onChoose={setChosen} />
      ) : null}
      {done ? (
        <>
          <Notice tone="success">
            {t({ id: 'undo.kept', message: 'Both entries stay in the history.' })}
          </Notice>
          <AllowanceHint allowance={state.data.allowance} />
        </>
      ) : (
        <ActionNotice
          state={state}
          unknown={t({
            id: 'undo.unknown',
            message: "We couldn't confirm the result. Check the status first.",
          })}
          intact={t({ id: 'undo.intact', message: 'Nothing has been undone yet.' })}
        />
      )}
    </Sheet>
  )
}

type ReasonsProps = {
  reasons: readonly string[]
  chosen: number | null
  onChoose: (index: number) => void
}

function Reasons({ reasons, chosen, onChoose }: ReasonsProps) {
  const { t } = useLingui()
  const name = useId()
  const restore = useControlled()
  return (
    <fieldset className="flex flex-col">
      <legend className="text-small text-ink2">
        {t({ id: 'undo.reason', message: 'Reason' })}
      </legend>
      {reasons.map((reason, index) => (
        <label key={reason} className="flex min-h-12 items-center gap-3">
          <input
            type="radio"
            name={name}
            checked={index === chosen}
            onChange={() => {
              onChoose(index)
              restore()
            }}
            className="size-5 shrink-0 accent-brand-line"
          />
          <span>{reason}</span>
        </label>
      ))}
    </fieldset>
  )
}
