import { useLingui } from '@lingui/react/macro'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { LoginInfo } from '@tillside/contract/auth'
import type { Coupon } from '@tillside/contract/coupon'
import { type ReactNode, useState } from 'react'
import type { Action } from '../../kit/action/action.ts'
import { AllowanceHint, type Giving } from '../../kit/action/AllowanceHint.tsx'
import { ActionNotice } from '../../kit/action/ActionNotice.tsx'
import { formatCode } from '../../kit/text/format.ts'
import { useSession } from '../../kit/call/session.ts'
import { usePermissions } from '../../staff/permissions.ts'
import { useAction, useOnAnswered } from '../../kit/action/useAction.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Notice } from '../../ui/page/Notice.tsx'
import { Ticket } from '../../ui/paper/Ticket.tsx'
import { CouponLines } from '../CouponTicket.tsx'
import { applyRedemption, couponQuery, invalidateMember } from '../coupons.ts'
import {
  createBatch,
  createIssue,
  createRedeem,
  createCouponUndo,
  type Unanswered,
  unansweredRedeems,
} from '../redeem.ts'
import { StubButton } from '../../kit/action/StubButton.tsx'

type UnansweredRedeemsProps = {
  memberCode: string
  /** The loaded coupons, so that an unclear one is shown with its name. */
  coupons?: readonly Coupon[] | undefined
  /** Hides the tickets and notices while a sheet is open, because the sheet shows the state. */
  hidden?: boolean
}

/**
 * The coupon requests for this member that were sent and got no answer, also before a reload. An
 * unclear coupon is a ticket whose stub checks the result.
 */
export function UnansweredRedeems({ memberCode, coupons, hidden }: UnansweredRedeemsProps) {
  const clerk = useSession()
  const now = clerk ? unansweredRedeems(clerk, memberCode) : []
  // A request that is answered here is shown until the clerk leaves the page, so that the result
  // can be read.
  const [seen, see] = useState(now)
  const known = new Set(seen.map(nameOf))
  const added = now.filter((one) => !known.has(nameOf(one)))
  if (added.length > 0) see([...seen, ...added])
  if (clerk === null || hidden === true) return null
  return seen.map((one) => (
    <UnansweredRedeem
      key={nameOf(one)}
      asked={one}
      clerk={clerk}
      memberCode={memberCode}
      coupons={coupons}
      onDropped={() => see(seen.filter((other) => nameOf(other) !== nameOf(one)))}
    />
  ))
}

const nameOf = (asked: Unanswered) => JSON.stringify(asked)

type Answer = Giving | (Giving & Coupon) | (Giving & { coupons: Coupon[] })

function actionOf(clerk: LoginInfo, memberCode: string, asked: Unanswered): Action<Answer> {
  if (asked.kind === 'redeem') return createRedeem(clerk, memberCode, asked.couponCode)
  if (asked.kind === 'redeem-many') return createBatch(clerk, memberCode, asked.couponCodes)
  if (asked.kind === 'coupon-undo') return createCouponUndo(clerk, asked.input)
  return createIssue(clerk, asked.order)
}

/** The coupons that an answered request has redeemed. */
function redeemedIn({ kind }: Unanswered, answer: Answer): readonly Coupon[] {
  if (kind === 'redeem' && 'code' in answer) return [answer]
  return kind === 'redeem-many' && 'coupons' in answer ? answer.coupons : []
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
  coupons: readonly Coupon[] | undefined
  /** The server does not know the request, and the clerk closes the notice. */
  onDropped: () => void
}

function UnansweredRedeem(props: UnansweredRedeemProps) {
  const { asked, clerk, memberCode, coupons, onDropped } = props
  const { t } = useLingui()
  const queries = useQueryClient()
  const words = useWords(asked)
  const { state, action } = useAction(() => actionOf(clerk, memberCode, asked), nameOf(asked))
  useOnAnswered(state, () => {
    const redeemed = state.step === 'done' ? redeemedIn(asked, state.data) : []
    if (redeemed.length > 0) applyRedemption(queries, memberCode, redeemed)
    else invalidateMember(queries, memberCode)
  })
  if (action === null || state.step === 'idle' || state.step === 'confirm') return null
  if (state.step === 'done') {
    return (
      <div className="flex flex-col gap-2">
        <Notice tone="success">{words.ok}</Notice>
        <AllowanceHint allowance={state.data.allowance} />
      </div>
    )
  }
  const check =
    state.step === 'unknown' ? (
      <CheckButton busy={state.checking} onClick={() => void action.check()} />
    ) : state.step === 'checked' ? (
      <Button
        kind="outlined"
        size="small"
        className="@max-[30rem]:px-2!"
        onClick={() => {
          action.drop()
          onDropped()
        }}
      >
        {t({ id: 'common.close', message: 'Close' })}
      </Button>
    ) : null
  const notice = (
    <ActionNotice state={state} unknown={words.unknown} intact={words.intact} staysPut />
  )
  const codes = codesOf(asked)
  if (asked.kind === 'redeem' || asked.kind === 'redeem-many') {
    return (
      <UnclearTicket
        memberCode={memberCode}
        codes={codes}
        loaded={coupons}
        isUnclear={state.step === 'unknown'}
        stub={check}
      >
        {notice}
      </UnclearTicket>
    )
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {codes.length === 0 ? null : <p className="num text-small text-ink2">{written(codes)}</p>}
      <div className="w-full">{notice}</div>
      {check}
    </div>
  )
}

const written = (codes: readonly string[]) => codes.map((code) => formatCode(code)).join(' · ')

/** The coupons of these codes; those that the loaded list does not have are asked for. */
function useCouponsOf({ memberCode, codes, loaded }: UnclearCoupons): readonly Coupon[] {
  const permissions = usePermissions()
  const mayAsk = permissions.has('couponView') || permissions.has('couponRedeem')
  const here = (loaded ?? []).filter(({ code }) => codes.includes(code))
  const missing = codes.filter((code) => !here.some((coupon) => coupon.code === code))
  const asked = useQueries({
    // Until the list is loaded, nothing is known to be missing.
    queries: missing.map((code) => couponQuery(memberCode, code, mayAsk && loaded !== undefined)),
  })
  return [...here, ...asked.flatMap(({ data }) => data ?? [])]
}

type UnclearCoupons = {
  memberCode: string
  codes: readonly string[]
  /** The loaded coupons: one that turns out to be used is no longer among them. */
  loaded: readonly Coupon[] | undefined
}

type UnclearTicketProps = UnclearCoupons & {
  isUnclear: boolean
  stub: ReactNode
  /** The known facts about the result. */
  children: ReactNode
}

/** The coupons of one request with an unknown result: it cannot be used before it is checked. */
function UnclearTicket({ isUnclear, stub, children, ...asked }: UnclearTicketProps) {
  const { t } = useLingui()
  const coupons = useCouponsOf(asked)
  const [only] = coupons
  const names = coupons.map(({ name }) => name).join(', ')
  return (
    <Ticket
      state={isUnclear ? 'unclear' : 'valid'}
      title={names === '' ? t({ id: 'nav.coupons', message: 'Coupons' }) : names}
      tag={
        isUnclear
          ? { tone: 'onWarning', text: t({ id: 'rdm.unclear', message: 'Result unknown' }) }
          : undefined
      }
      lines={
        <>
          {only && coupons.length === 1 ? <CouponLines {...only} /> : null}
          {/* An unclear ticket has the colour of its notice, which needs no margin then. */}
          <div className={isUnclear ? '-mx-4 -mb-2' : 'mt-2'}>{children}</div>
        </>
      }
      code={written(asked.codes)}
      stub={stub}
    />
  )
}

function CheckButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  const { t } = useLingui()
  return (
    <StubButton kind="filled" busy={busy} onClick={onClick}>
      {t({ id: 'rdm.check', message: 'Check status' })}
    </StubButton>
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
