import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'
import { useEffect, useRef } from 'react'
import { formatCode } from '../kit/text/format.ts'
import { fullName } from '@tillside/contract/rules/person'
import { paths } from '../paths.ts'
import { TierPips } from '../tier/TierPips.tsx'
import { useTierRank } from '../tier/tiers.ts'
import { Button } from '../ui/page/Button.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { TierSurface } from '../ui/paper/TierSurface.tsx'

/** The new member, and buttons to open the member or register another. */
export function Registered({ member, onAnother }: { member: Member; onAnother: () => void }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const button = useRef<HTMLButtonElement>(null)
  const { tone } = useTierRank(member.tier?.code ?? null)
  const name = fullName(member)
  useEffect(() => {
    button.current?.focus()
    scrollTo({ top: 0 })
  }, [])
  return (
    <PageFrame width="form">
      <div className="flex flex-col gap-6">
        <output>
          <h1 className="text-title-l break-words">
            {t({ id: 'reg.done', message: `${name} is now a member` })}
          </h1>
        </output>
        <TierSurface tone={tone}>
          <div className="flex min-h-36 flex-col justify-between gap-6">
            {member.tier === null ? null : (
              <p className="flex items-center gap-2 text-strong">
                {member.tier.name}
                <TierPips {...member.tier} />
              </p>
            )}
            <div>
              <p className="text-title break-words">{name}</p>
              <p className="num text-small text-tier-sub">{member.memberCode}</p>
              <p className="num text-small text-tier-sub">{formatCode(member.cardNumber)}</p>
            </div>
          </div>
        </TierSurface>
        <div className="flex flex-col gap-2 [--text-action:var(--ink)]">
          <Button
            ref={button}
            kind="filled"
            size="large"
            onClick={() => void navigate(paths.memberHome({ code: member.memberCode }))}
          >
            {t({ id: 'reg.open', message: 'Open member' })}
          </Button>
          <Button kind="text" size="large" onClick={onAnother}>
            {t({ id: 'reg.another', message: 'Register another' })}
          </Button>
        </div>
      </div>
    </PageFrame>
  )
}
