import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AllowanceHint } from '../kit/action/AllowanceHint.tsx'
import { ActionNotice, type ActionNoticeProps } from '../kit/action/ActionNotice.tsx'
import { formatPoints } from '../kit/text/format.ts'
import { useSession } from '../kit/call/session.ts'
import { useAction, useOnAnswered } from '../kit/action/useAction.ts'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { invalidatePoints } from './points.ts'
import {
  createSpend,
  requestName,
  pointsSpent,
  type SpendInput,
  unansweredSpends,
} from './spend.ts'

type UnansweredSpendsProps = {
  memberCode: string
  /** Hides the notices while a sheet is open, because the sheet shows the state. */
  hidden?: boolean
  onAnswered?: () => void
}

/** The spendings of this member that were sent and got no answer, also before a reload. */
export function UnansweredSpends({ memberCode, hidden, onAnswered }: UnansweredSpendsProps) {
  const clerk = useSession()
  const unanswered = clerk ? unansweredSpends(clerk, memberCode) : []
  const [seen, see] = useState<readonly string[]>([])
  // A request that was answered here is shown until the clerk leaves the page, so that the result
  // can be read.
  const names = [...new Set([...seen, ...unanswered.map((input) => requestName(input))])]
  if (names.length > seen.length) see(names)
  if (hidden === true) return null
  return names.flatMap((name) => {
    const input = unanswered.find((one) => requestName(one) === name)
    return <UnansweredSpend key={name} input={input} onAnswered={() => onAnswered?.()} />
  })
}

type UnansweredSpendProps = { input: SpendInput | undefined; onAnswered: () => void }

function UnansweredSpend({ input: now, onAnswered }: UnansweredSpendProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const clerk = useSession()
  const [input] = useState(now)
  const { state, action } = useAction(
    clerk && input ? () => createSpend(clerk, input) : null,
    input ? requestName(input) : '',
  )
  useOnAnswered(state, () => {
    if (input) invalidatePoints(queries, input.memberCode)
    onAnswered()
  })
  if (action === null || state.step === 'idle' || state.step === 'confirm') return null
  const n = formatPoints(state.step === 'done' ? pointsSpent(state.data) : 0)
  return (
    <div className="flex flex-col gap-2">
      {state.step === 'done' ? (
        <>
          <Notice tone="success">
            {t({ id: 'ex.was', message: `${n} points were redeemed.` })}
          </Notice>
          <AllowanceHint allowance={state.data.allowance} />
        </>
      ) : (
        <SpendNotice state={state} staysPut />
      )}
      {state.step === 'unknown' ? (
        <Button kind="outlined" busy={state.checking} onClick={() => void action.check()}>
          {t({ id: 'rdm.check', message: 'Check status' })}
        </Button>
      ) : null}
      {state.step === 'checked' ? (
        <div className="flex flex-wrap gap-2">
          <Button kind="outlined" onClick={() => void action.send()}>
            {t({ id: 'common.retry', message: 'Try again' })}
          </Button>
          <Button
            kind="text"
            onClick={() => {
              action.drop()
              onAnswered()
            }}
          >
            {t({ id: 'common.close', message: 'Close' })}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** The texts about a spending without an answer. */
export function SpendNotice(props: Pick<ActionNoticeProps, 'state' | 'staysPut'>) {
  const { t } = useLingui()
  return (
    <ActionNotice
      {...props}
      unknown={t({
        id: 'ex.unknown',
        message: "We couldn't confirm the result. Do not redeem again before checking.",
      })}
      intact={t({ id: 'ex.intact', message: 'No points have been used.' })}
    />
  )
}
