import { useLingui } from '@lingui/react/macro'
import type { AssignedCoupon } from '@tillside/contract/coupon'
import { useState } from 'react'
import { useSession } from '../kit/session.ts'
import { unansweredSpends } from '../points/spend.ts'
import { Sheet } from '../ui/Sheet.tsx'
import { AssignedList } from './AssignedList.tsx'
import { IssueSheet } from './IssueSheet.tsx'
import type { RedeemMember } from './RedeemSheet.tsx'

type IssuePanelProps = {
  open: boolean
  member: RedeemMember
  usablePoints: number | null
  onIssued: () => void
  onClose: () => void
}

/** What this store may give the member: first the choice, then in the same place the question. */
export function IssuePanel(props: IssuePanelProps) {
  const { open, member, usablePoints, onClose } = props
  const [chosen, setChosen] = useState<AssignedCoupon | null>(null)
  const { t } = useLingui()
  const clerk = useSession()
  if (chosen !== null) {
    return <IssueSheet {...props} assigned={chosen} onBack={() => setChosen(null)} />
  }
  const waits = clerk !== null && unansweredSpends(clerk, member.memberCode).length > 0
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t({ id: 'cpn.issue', message: 'Issue coupon' })}
      aside={t({ id: 'common.close', message: 'Close' })}
      actions={null}
    >
      <AssignedList
        memberCode={member.memberCode}
        usablePoints={usablePoints}
        paused={
          waits ? t({ id: 'ex.checkFirst', message: 'Check the last redemption first.' }) : null
        }
        onChoose={setChosen}
      />
    </Sheet>
  )
}
