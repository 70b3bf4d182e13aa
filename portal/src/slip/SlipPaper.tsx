import { useLingui } from '@lingui/react/macro'
import type { Ref } from 'react'
import { useDates } from '../company/calendar.ts'
import { useTheme } from '../company/company.ts'
import { useSession } from '../kit/call/session.ts'
import { withIndex } from '../kit/page/withIndex.ts'
import { present } from '../kit/store/scene.ts'
import { useStore } from '../kit/store/store.ts'
import { formatPoints } from '../kit/text/format.ts'
import { operationCode, shortOperation } from './code.ts'
import { QrCode } from './QrCode.tsx'
import type { Paper, SlipFacts } from './slip.ts'

type SlipPaperProps = { facts: SlipFacts; paper: Paper; ref: Ref<HTMLDivElement> }

/** The slip as it is printed: black on white, with the member masked. */
export function SlipPaper({ facts, paper, ref }: SlipPaperProps) {
  const { t } = useLingui()
  const dates = useDates()
  const { name } = useTheme()
  const member = useStore(present)
  const own = useSession()?.store ?? null
  const { title, rows, at, operation, store = own } = facts
  const balance = facts.balance === undefined ? (member?.points ?? null) : facts.balance
  const short = operation === null ? null : shortOperation(operation)
  return (
    <div ref={ref} className={`slip slip-${paper}`} data-print="" data-slip="">
      <p className="slip-company">{name}</p>
      {store === null ? null : (
        <p>
          {store.name} {store.code}
        </p>
      )}
      <p>{dates(at ?? '', 'long')}</p>
      <hr />
      <p className="slip-title">{title}</p>
      <dl>
        {withIndex(rows).map(([key, { label, value }]) => (
          <SlipRow key={key} label={label} value={value} />
        ))}
        {member === null ? null : (
          <SlipRow label={t({ id: 'sys.member', message: 'Member' })} value={member.masked} />
        )}
        {balance === null ? null : (
          <SlipRow
            label={t({ id: 'slip.balance', message: 'Points now' })}
            value={formatPoints(balance)}
          />
        )}
        {short === null ? null : (
          <SlipRow label={t({ id: 'slip.number', message: 'Slip no.' })} value={short} />
        )}
      </dl>
      {operation === null || short === null ? null : (
        <QrCode
          text={operationCode(operation)}
          label={t({ id: 'slip.code', message: `Code of slip ${short}` })}
        />
      )}
    </div>
  )
}

function SlipRow({ label, value }: { label: string; value: string }) {
  return (
    <div className="slip-row">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
