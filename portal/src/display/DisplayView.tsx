import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import CheckCircleIcon from 'virtual:icons/check-circle'
import CheckCircleFillIcon from 'virtual:icons/check-circle-fill'
import CircleIcon from 'virtual:icons/circle'
import type { ReactNode } from 'react'
import { useTheme } from '../company/company.ts'
import { useMoney } from '../company/money.ts'
import { CouponLines } from '../coupon/CouponTicket.tsx'
import type { Deed, Scene } from '../kit/store/scene.ts'
import { withIndex } from '../kit/page/withIndex.ts'
import { formatPoints } from '../kit/text/format.ts'
import { Figure } from '../ui/paper/Figure.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'
import { Ticket } from '../ui/paper/Ticket.tsx'

/** "Hello, Ada" for an open member; otherwise the company welcomes. */
export function useGreeting(): (scene: Scene) => string {
  const { t } = useLingui()
  const company = useTheme().name
  return ({ name }) =>
    name === null
      ? t({ id: 'disp.welcome', message: `Welcome to ${company}` })
      : t({ id: 'disp.hello', message: `Hello, ${name}` })
}

/** The open question or its result; without one, the points. */
export function DisplayView({ scene: { deed, signing, points } }: { scene: Scene }) {
  const { t } = useLingui()
  return (
    <output className="flex flex-col gap-6">
      {signing === null ? null : <SigningView signing={signing} />}
      {deed === null ? null : <DeedView deed={deed} />}
      {points !== null && deed === null ? (
        <div className="flex flex-col">
          <p className="text-body text-ink2">{t({ id: 'disp.points', message: 'Your points' })}</p>
          <Figure size="xl">{formatPoints(points)}</Figure>
        </div>
      ) : null}
    </output>
  )
}

function DeedView({ deed }: { deed: Deed }) {
  const title = useDeedTitle()(deed)
  const done = deed.step === 'done'
  return (
    <section className="flex flex-col gap-4">
      <h2 className="flex items-center gap-2 text-title">
        {done ? (
          <CheckCircleFillIcon size={32} className="text-success" aria-hidden="true" />
        ) : null}
        {title}
      </h2>
      {deed.coupons.length === 0 ? null : (
        <ul className="flex flex-col gap-3">
          {withIndex(deed.coupons).map(([key, coupon]) => (
            <li key={key} className="flex flex-col gap-1.5">
              <Ticket
                state={done && deed.kind === 'redeem' ? 'used' : 'valid'}
                title={coupon.name}
                lines={<CouponLines {...coupon} description={null} />}
              />
              {coupon.condition === null ? null : (
                <p className="px-[16px] text-body break-words whitespace-pre-line text-ink2">
                  {coupon.condition}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <PointsOfDeed deed={deed} />
    </section>
  )
}

function useDeedTitle(): (deed: Deed) => string {
  const { t } = useLingui()
  return ({ kind, step, coupons: { length: n } }) => {
    if (step === 'sent') return t({ id: 'disp.sent', message: 'One moment, please…' })
    if (step === 'refused') return t({ id: 'disp.refused', message: 'Nothing has been used.' })
    const done = step === 'done'
    if (kind === 'spend') {
      return done
        ? t({ id: 'disp.spent', message: 'Points used' })
        : t({ id: 'disp.spend', message: 'Use these points?' })
    }
    if (kind === 'issue') {
      return done
        ? t({ id: 'disp.issued', message: 'Added to your coupons' })
        : t({ id: 'disp.issue', message: 'For your coupons' })
    }
    return done
      ? t({
          id: 'disp.used',
          message: plural(n, { one: 'Coupon used', other: '# coupons used' }),
        })
      : t({
          id: 'disp.use',
          message: plural(n, { one: 'Use this coupon?', other: 'Use these # coupons?' }),
        })
  }
}

function PointsOfDeed({ deed: { reward, before, after, amount, step } }: { deed: Deed }) {
  const { t } = useLingui()
  const money = useMoney()
  const done = step === 'done'
  const rows: [label: string, value: ReactNode][] = []
  if (before !== null) {
    rows.push([t({ id: 'disp.before', message: 'Points before' }), formatPoints(before)])
  }
  if (after !== null && step !== 'refused') {
    const label = done
      ? t({ id: 'disp.now', message: 'Points now' })
      : t({ id: 'disp.after', message: 'Points after' })
    rows.push([label, formatPoints(after)])
  }
  if (amount !== null) rows.push([t({ id: 'ex.off', message: 'Off this sale' }), money(amount)])
  if (rows.length === 0 && reward === null) return null
  return (
    <div className="rounded-card border border-line bg-surface p-5">
      {reward === null ? null : <p className="pb-2 text-strong break-words">{reward}</p>}
      {rows.map(([label, value]) => (
        <ReceiptRow key={label} label={label} value={value} strong />
      ))}
    </div>
  )
}

function SigningView({ signing }: { signing: NonNullable<Scene['signing']> }) {
  const { t } = useLingui()
  const { contacts, terms, marketing } = signing
  // An empty form has nothing to confirm.
  if (contacts.length === 0 && !terms && !marketing) return null
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-title">{t({ id: 'disp.check', message: 'Is this correct?' })}</h2>
      {withIndex(contacts).map(([key, contact]) => (
        <p key={key} lang="en" className="num text-title break-all">
          {contact}
        </p>
      ))}
      <ul className="flex flex-col gap-2">
        <Consented given={terms}>
          {t({ id: 'reg.terms', message: 'I agree to the membership terms' })}
        </Consented>
        <Consented given={marketing}>
          {t({ id: 'reg.marketing', message: 'Send me offers by SMS and email (optional)' })}
        </Consented>
      </ul>
    </section>
  )
}

function Consented({ given, children }: { given: boolean; children: string }) {
  const { t } = useLingui()
  const Icon = given ? CheckCircleIcon : CircleIcon
  return (
    <li className="flex items-start gap-2">
      <Icon
        size={24}
        className={given ? 'shrink-0 text-success' : 'shrink-0 text-ink3'}
        aria-hidden="true"
      />
      <span>
        {children}{' '}
        <span className="text-ink2">
          {given ? t({ id: 'disp.yes', message: '· Yes' }) : t({ id: 'disp.no', message: '· No' })}
        </span>
      </span>
    </li>
  )
}
