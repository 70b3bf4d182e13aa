import { useLingui } from '@lingui/react/macro'
import PlusIcon from 'virtual:icons/plus'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Coupon, CouponStatus } from '@tillside/contract/coupon'
import { useRef, useState } from 'react'
import { UnansweredSpends } from '../points/UnansweredSpends.tsx'
import { usePermissions } from '../staff/permissions.ts'
import { Button } from '../ui/page/Button.tsx'
import { useFocusAfter } from '../ui/layer/useFocusAfter.ts'
import { useOpening } from '../ui/layer/useOpening.ts'
import { BatchSheet, BatchTray } from './BatchSheet.tsx'
import { CodeField } from './CodeField.tsx'
import { CouponDetail } from './CouponDetail.tsx'
import { CouponList } from './CouponList.tsx'
import { couponListQuery, type CouponOwner } from './coupons.ts'
import { IssuePanel } from './IssuePanel.tsx'
import { type RedeemMember, RedeemSheet, UndoRedeem, useAfterClose } from './RedeemSheet.tsx'
import { StatusTabs } from './StatusTabs.tsx'
import { RedeemedTrace } from './after/RedeemedTrace.tsx'
import { UnansweredRedeems } from './after/UnansweredRedeems.tsx'
import { useUnclearCodes } from './after/useUnclearCodes.ts'

type CouponsPageProps = {
  member: RedeemMember
  /** The points that the member can spend today; null if the clerk may not see them. */
  usablePoints: number | null
  onOpenMember: (memberCode: string) => void
  /** The code that was scanned on another page and led here. */
  wanted: string | null
  onHandled: () => void
  /** The page was opened in order to issue a coupon. */
  issuing?: boolean
}

/** The sheet over the list: one at a time. It stays mounted during its closing animation. */
type Layer = { open: boolean } & (
  | { kind: 'redeem'; coupon: Coupon }
  | { kind: 'undo'; coupon: Coupon }
  | { kind: 'detail'; coupon: Coupon; owner: CouponOwner | null }
  | { kind: 'batch'; coupons: Coupon[] }
  | { kind: 'issue' }
)

const issuePanel: Layer = { kind: 'issue', open: true }

const noCodes: ReadonlySet<string> = new Set()

/** How many coupons one request may redeem. */
const maxPerRequest = 20

/** The member's coupons, with the actions redeem, undo and issue. */
export function CouponsPage(props: CouponsPageProps) {
  const { member, wanted, onHandled, issuing = false } = props
  const { t } = useLingui()
  const { memberCode } = member
  const { mayList, mayView, mayRedeem, mayIssue, maySearch } = useGrants()
  const place = useRef<HTMLDivElement>(null)
  const [status, setStatus] = useState<CouponStatus>('ISSUED')
  const [layer, setLayer] = useState<Layer | null>(issuing && mayIssue ? issuePanel : null)
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null)
  const { query, counts, loaded } = useLists(memberCode, status, mayList)

  const opening = useOpening(layer?.open ?? false)
  useFocusAfter(layer !== null, place)
  // If another sheet was opened during the closing animation, keep it.
  const closed = () => setLayer((current) => (current?.open === true ? current : null))
  const redeem = (coupon: Coupon) => setLayer({ kind: 'redeem', coupon, open: true })
  const detail = (coupon: Coupon, owner: CouponOwner | null = null) =>
    setLayer({ kind: 'detail', coupon, owner, open: true })
  const pick = (code: string, isPicked: boolean) =>
    setPicked((now) => pickedAfter(now, code, isPicked))
  const unclear = useUnclearCodes(memberCode)
  const isAsking = layer?.open === true
  const usable = mayRedeem ? loaded.filter((one) => one.redeemable && !unclear.has(one.code)) : []
  const found = (coupon: Coupon, owner: CouponOwner | null) => {
    const isTheirs = owner === null || owner.memberCode === memberCode
    const canBeUsed = isTheirs && coupon.redeemable && mayRedeem
    if (!canBeUsed) detail(coupon, isTheirs ? null : owner)
    else if (picked === null) redeem(coupon)
    else pick(coupon.code, true)
  }
  const issue = mayIssue ? <IssueButton onClick={() => setLayer(issuePanel)} /> : null
  const several =
    status === 'ISSUED' && usable.length > 1 ? (
      <Button kind="text" size="small" onClick={() => setPicked(new Set())}>
        {t({ id: 'cpn.select', message: 'Select several' })}
      </Button>
    ) : null

  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <h2 className="sr-only">{t({ id: 'nav.coupons', message: 'Coupons' })}</h2>
      <UnansweredSpends memberCode={memberCode} hidden={isAsking} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="max-medium:w-full">
          {mayList ? (
            <StatusTabs
              status={status}
              counts={counts}
              onChange={(next) => {
                setStatus(next)
                setPicked(null)
              }}
            />
          ) : null}
        </div>
        {picked === null ? (
          <div className="flex items-center gap-3 max-medium:hidden">
            {several}
            {issue}
          </div>
        ) : null}
      </div>
      {maySearch ? (
        <CodeField
          key={picked === null ? 'one' : 'several'}
          loaded={loaded}
          picking={picked !== null}
          wanted={wanted}
          onHandled={onHandled}
          onFound={found}
        />
      ) : null}
      <UnansweredRedeems memberCode={memberCode} coupons={loaded} hidden={isAsking} />
      {status === 'ISSUED' ? <RedeemedTrace member={member} hidden={isAsking} /> : null}
      {mayList ? (
        <CouponList
          without={isAsking ? noCodes : unclear}
          query={query}
          status={status}
          picked={picked}
          full={picked !== null && picked.size >= maxPerRequest}
          onPick={pick}
          onRedeem={redeem}
          onOpen={mayView ? detail : undefined}
        />
      ) : null}
      {picked !== null ? (
        <BatchTray
          picked={picked.size}
          full={picked.size >= maxPerRequest}
          onAll={() => setPicked(new Set(usable.slice(0, maxPerRequest).map(({ code }) => code)))}
          onCancel={() => setPicked(null)}
          onRedeem={() => {
            const coupons = usable.filter(({ code }) => picked.has(code))
            setLayer({ kind: 'batch', coupons, open: true })
          }}
        />
      ) : several !== null || issue !== null ? (
        <div className="tray tray-offer justify-between medium:hidden">
          {several ?? <span />}
          {issue}
        </div>
      ) : null}

      {layer === null ? null : (
        <LayerView
          key={opening}
          layer={layer}
          onLayer={setLayer}
          onPicked={setPicked}
          onClosed={closed}
          coupons={loaded}
          page={props}
          onIssued={() => setStatus('ISSUED')}
        />
      )}
    </div>
  )
}

type LayerViewProps = {
  page: CouponsPageProps
  layer: Layer
  onLayer: (layer: Layer) => void
  onPicked: (picked: ReadonlySet<string> | null) => void
  onClosed: () => void
  /** The coupons as the list has them now. */
  coupons: readonly Coupon[]
  onIssued: () => void
}

function LayerView(props: LayerViewProps) {
  const { page, layer, onLayer, onPicked, onClosed, coupons, onIssued } = props
  const { member } = page
  const { open } = layer
  const onClose = () => onLayer({ ...layer, open: false })
  useAfterClose(open, onClosed)
  if (layer.kind === 'redeem') {
    const { coupon } = layer
    return <RedeemSheet key={coupon.code} {...{ open, coupon, member, onClose, onClosed }} />
  }
  if (layer.kind === 'undo') {
    return <UndoRedeem {...{ open, member, onClose }} coupon={layer.coupon} />
  }
  if (layer.kind === 'detail') {
    return (
      <CouponDetail
        open={open}
        coupon={coupons.find(({ code }) => code === layer.coupon.code) ?? layer.coupon}
        owner={layer.owner}
        onClose={onClose}
        onRedeem={(coupon) => onLayer({ kind: 'redeem', coupon, open: true })}
        onUndo={(coupon) => onLayer({ kind: 'undo', coupon, open: true })}
        onOpenMember={page.onOpenMember}
      />
    )
  }
  if (layer.kind === 'batch') {
    return (
      <BatchSheet
        {...{ open, member, onClose }}
        key={layer.coupons.map(({ code }) => code).join()}
        coupons={layer.coupons}
        onRedeemed={() => onPicked(null)}
        onWithout={(left) => {
          onPicked(new Set(left.map(({ code }) => code)))
          onLayer({ kind: 'batch', coupons: left, open: true })
        }}
      />
    )
  }
  return <IssuePanel {...{ open, member, onClose, onIssued }} usablePoints={page.usablePoints} />
}

function IssueButton({ onClick }: { onClick: () => void }) {
  const { t } = useLingui()
  return (
    <Button
      kind="outlined"
      size="small"
      icon={<PlusIcon size={20} aria-hidden="true" />}
      onClick={onClick}
    >
      {t({ id: 'cpn.issue', message: 'Issue coupon' })}
    </Button>
  )
}

function pickedAfter(picked: ReadonlySet<string> | null, code: string, isPicked: boolean) {
  const next = new Set(picked)
  if (isPicked && next.size < maxPerRequest) next.add(code)
  else if (!isPicked) next.delete(code)
  return next
}

function useGrants() {
  const permissions = usePermissions()
  const mayRedeem = permissions.has('couponRedeem')
  return {
    mayList: permissions.has('coupon'),
    mayView: permissions.has('couponView'),
    mayRedeem,
    mayIssue: permissions.has('homeIssuecoupon'),
    maySearch: mayRedeem || permissions.has('couponView'),
  }
}

/** The list on screen, the number of coupons in each status, and all loaded coupons. */
function useLists(memberCode: string, status: CouponStatus, mayList: boolean) {
  const valid = useInfiniteQuery({ ...couponListQuery(memberCode, 'ISSUED'), enabled: mayList })
  const used = useInfiniteQuery({
    ...couponListQuery(memberCode, 'USED'),
    enabled: mayList && status === 'USED',
  })
  const expired = useInfiniteQuery({
    ...couponListQuery(memberCode, 'EXPIRED'),
    enabled: mayList && status === 'EXPIRED',
  })
  const lists = { ISSUED: valid, USED: used, EXPIRED: expired }
  const [newest] = [valid, used, expired].toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)
  const pages = Object.values(lists).flatMap(({ data }) => data?.pages ?? [])
  return {
    query: lists[status],
    counts: newest?.data?.pages[0]?.counts,
    loaded: pages.flatMap(({ items }) => items),
  }
}
