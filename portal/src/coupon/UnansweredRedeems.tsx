import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { LoginInfo } from '@tillside/contract/auth'
import { useState } from 'react'
import type { Action } from '../kit/action/action.ts'
import { AllowanceHint, type Giving } from '../kit/action/AllowanceHint.tsx'
import { ActionNotice } from '../kit/action/ActionNotice.tsx'
import { formatCode } from '../kit/text/format.ts'
import { useSession } from '../kit/call/session.ts'
import { useAction, useOnAnswered } from '../kit/action/useAction.ts'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { invalidateMember } from './coupons.ts'
import {
  createBatch,
  createIssue,
  createRedeem,
  createCouponUndo,
  type Unanswered,
  unansweredRedeems,
} from './redeem.ts'

type UnansweredRedeemsProps = {
  memberCode: string
  /** Hides the notices while a sheet is open, because the sheet shows the state. */
  hidden?: boolean
}

/** The coupon requests for this member that were sent and got no answer, also before a reload. */
export function UnansweredRedeems({ memberCode, hidden }: UnansweredRedeemsProps) {
  const clerk = useSession()
  const now = clerk ? unansweredRedeems(clerk, memberCode) : []
  const [, redraw] = useState(0)
  const [answered, setAnswered] = useState<readonly Unanswered[]>([])
  if (clerk === null || hidden === true) return null
  const names = new Set(now.map(nameOf))
  // A request that was answered here is shown until the clerk leaves the page, so that the result
  // can be read.
  const shown = [...answered.filter((one) => !names.has(nameOf(one))), ...now]
  return shown.map((one) => (
    <UnansweredRedeem
      key={nameOf(one)}
      asked={one}
      clerk={clerk}
      memberCode={memberCode}
      onDropped={() => redraw((times) => times + 1)}
      onAnswered={() =>
        setAnswered((known) => [...known.filter((k) => nameOf(k) !== nameOf(one)), one])
      }
    />
  ))
}

const nameOf = (asked: Unanswered) => JSON.stringify(asked)

function actionOf(clerk: LoginInfo, memberCode: string, asked: Unanswered): Action<Giving> {
  if (asked.kind === 'redeem') return createRedeem(clerk, memberCode, asked.couponCode)
  if (asked.kind === 'redeem-many') return createBatch(clerk, memberCode, asked.couponCodes)
  if (asked.kind === 'coupon-undo') return createCouponUndo(clerk, asked.input)
  return createIssue(clerk, asked.order)
}

function codesOf(asked: Unanswered): string[] {
  if (asked.kind === 'redeem') return [asked.couponCode]
  if (asked.kind === 'redeem-many') return asked.couponCodes
  return asked.kind === 'coupon-undo' ? [asked.input.couponCode] : []
}

type UnansweredRedeemProps = {
  asked: Unanswered
  clerk: LoginInfo
  memberCode: string
  onAnswered: () => void
  /** The server does not know the request, and the clerk closes the notice. */
  onDropped: () => void
}

function UnansweredRedeem({
  asked,
  clerk,
  memberCode,
  onAnswered,
  onDropped,
}: UnansweredRedeemProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const words = useWords(asked)
  const { state, action } = useAction(() => actionOf(clerk, memberCode, asked), nameOf(asked))
  useOnAnswered(state, () => {
    invalidateMember(queries, memberCode)
    onAnswered()
  })
  if (action === null || state.step === 'idle' || state.step === 'confirm') return null
  const codes = codesOf(asked)
  return (
    <div className="flex flex-col gap-2">
      {codes.length === 0 ? null : (
        <p className="num text-small text-ink2">
          {t({ id: 'cpn.code', message: 'Coupon code' })}{' '}
          {codes.map((code) => formatCode(code)).join(' · ')}
        </p>
      )}
      {state.step === 'done' ? (
        <>
          <Notice tone="success">{words.ok}</Notice>
          <AllowanceHint allowance={state.data.allowance} />
        </>
      ) : (
        <ActionNotice state={state} unknown={words.unknown} intact={words.intact} />
      )}
      {state.step === 'unknown' ? (
        <Button
          kind="outlined"
          className="self-start"
          busy={state.checking}
          onClick={() => void action.check()}
        >
          {t({ id: 'rdm.check', message: 'Check status' })}
        </Button>
      ) : null}
      {state.step === 'checked' ? (
        <Button
          kind="text"
          className="-ms-3 self-start"
          onClick={() => {
            action.drop()
            onDropped()
          }}
        >
          {t({ id: 'common.close', message: 'Close' })}
        </Button>
      ) : null}
    </div>
  )
}

/** The texts for each kind of request: done, unknown, and not done. */
function useWords({ kind }: Unanswered): { ok: string; unknown: string; intact: string } {
  const { t } = useLingui()
  if (kind === 'coupon-undo') {
    return {
      ok: t({ id: 'undo.ok', message: 'Redemption undone' }),
      unknown: t({
        id: 'undo.unknown',
        message: "We couldn't confirm the result. Check the status first.",
      }),
      intact: t({ id: 'undo.intact', message: 'Nothing has been undone yet.' }),
    }
  }
  if (kind === 'issue') {
    return {
      ok: t({ id: 'iss.ok', message: 'Coupon issued successfully' }),
      unknown: t({
        id: 'iss.unknown',
        message: "We couldn't confirm the result. Do not issue again before checking.",
      }),
      intact: t({ id: 'iss.intact', message: 'No coupon has been issued.' }),
    }
  }
  return {
    ok: t({ id: 'rdm.ok', message: 'Coupon redeemed successfully' }),
    unknown: t({
      id: 'rdm.unknown',
      message: "We couldn't confirm the result. Do not redeem again before checking.",
    }),
    intact:
      kind === 'redeem'
        ? t({ id: 'rdm.intact', message: 'The coupon has not been redeemed.' })
        : t({ id: 'bat.intact', message: 'No coupon has been redeemed.' }),
  }
}
