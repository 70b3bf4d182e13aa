import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'
import { type ReactNode, useEffect, useState } from 'react'
import { registerConfigQuery } from '../consent/consents.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useSession } from '../kit/call/session.ts'
import { isBadLink, type LookUp, lookUpIn, paths } from '../paths.ts'
import { RegisterForm } from './RegisterForm.tsx'
import { BadLink } from '../member/BadLink.tsx'
import { Registered } from './Registered.tsx'
import { unansweredRegistrations } from './registration.ts'
import { UnansweredRegistration } from './UnansweredRegistration.tsx'

/** Registers a customer as a member. */
export function RegisterPage(): ReactNode {
  const { given, bad } = useCarriedLookUp()
  const clerk = useSession()
  const [round, setRound] = useState(0)
  const [made, setMade] = useState<Member | null>(null)
  // Only requests from before this page was opened; the form shows its own.
  const [left] = useState(() => (clerk ? unansweredRegistrations(clerk) : []))
  const config = useQuery({
    ...registerConfigQuery(useLanguage()),
    placeholderData: keepPreviousData,
  })
  if (made !== null) {
    const another = () => {
      setRound(round + 1)
      setMade(null)
    }
    return <Registered member={made} onAnother={another} />
  }
  return (
    <main className="flex flex-1 flex-col">
      {bad ? (
        <div className="p-4">
          <BadLink />
        </div>
      ) : null}
      {left.map((keyName) => (
        <UnansweredRegistration key={keyName} keyName={keyName} onMade={setMade} />
      ))}
      <RegisterForm
        key={round}
        config={{
          data: config.data,
          error: config.error,
          again: () => void config.refetch(),
        }}
        given={round === 0 ? given : null}
        onMade={setMade}
      />
    </main>
  )
}

/** The look-up of the failed search. It is removed from the address once it has been read. */
function useCarriedLookUp(): { given: LookUp | null; bad: boolean } {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [carried] = useState(() => ({ given: lookUpIn(search), bad: isBadLink(search) }))
  const isClean = Object.keys(search).length === 0
  useEffect(() => {
    if (!isClean) void navigate({ ...paths.memberRegister(), replace: true })
  }, [isClean, navigate])
  return carried
}
