import { useLingui } from '@lingui/react/macro'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { configQuery } from '../company/config.ts'
import { company } from '../company/company.ts'
import { useSession } from '../kit/call/session.ts'
import { emptyScene, type Scene } from '../kit/store/scene.ts'
import { currentLanguage, showLanguage } from '../kit/text/language.ts'
import { CustomerHead } from './CustomerHead.tsx'
import { DisplayView, useGreeting } from './DisplayView.tsx'
import { openChannel } from './message.ts'
import '../ui/style/counter.css'
import '../ui/style/forms.css'

/** The company's settings as the clerk's window knows them; nothing is asked of the server. */
const known = new QueryClient({ defaultOptions: { queries: { enabled: false } } })

/** How often the display asks for the present state, and after how long it gives up; in ms. */
const askEveryMs = 4000
const silentAfterMs = 10_000

/**
 * The customer's window. It loads nothing from the server: the clerk's window that opened it says
 * what to show. Without an answer it shows the company only.
 */
export function DisplayPage(): ReactNode {
  const { t } = useLingui()
  const staff = useSession()?.staff.account ?? null
  const { scene, connected } = useScene(staff)
  const greeting = useGreeting()
  useLanguageOfEach(scene.name === null && scene.signing === null)
  return (
    <main className="full-screen z-50!">
      <div className="mx-auto flex min-h-full w-full max-w-[40rem] flex-col gap-4">
        <CustomerHead />
        <div className="flex flex-1 flex-col justify-center gap-6 py-4">
          <h1 className="text-title-l break-words">{greeting(scene)}</h1>
          <QueryClientProvider client={known}>
            <DisplayView scene={scene} />
          </QueryClientProvider>
        </div>
        <p className="min-h-6 text-small text-ink2">
          {connected
            ? null
            : t({ id: 'disp.waiting', message: 'This screen is waiting for the counter.' })}
        </p>
      </div>
    </main>
  )
}

function useScene(staff: string | null): { scene: Scene; connected: boolean } {
  const [heard, setHeard] = useState<{ scene: Scene; at: number } | null>(null)
  useEffect(() => {
    // Without a clerk there is no display; the browser lets only a window like this one close.
    if (staff === null) close()
  }, [staff])
  useEffect(() => {
    const identifier = company.get()?.identifier
    const display = location.hash.slice(1)
    if (staff === null || identifier === undefined || display === '') return undefined
    const own = { company: identifier, staff, display }
    const channel = openChannel(own, (message) => {
      if (message.type === 'show') {
        known.setQueryData(configQuery.queryKey, message.config ?? undefined)
        setHeard({ scene: message.scene, at: Date.now() })
      }
      if (message.type !== 'end') return
      setHeard(null)
      close()
    })
    const ask = () => {
      channel.say({ type: 'ask' })
      setHeard((last) => (last !== null && Date.now() - last.at > silentAfterMs ? null : last))
    }
    ask()
    const timer = setInterval(ask, askEveryMs)
    return () => {
      clearInterval(timer)
      channel.close()
      setHeard(null)
    }
  }, [staff])
  return { scene: heard?.scene ?? emptyScene, connected: heard !== null }
}

/** Each customer begins in the language in which the display was opened. */
function useLanguageOfEach(isIdle: boolean): void {
  const [first] = useState(currentLanguage)
  useEffect(() => {
    if (isIdle && currentLanguage() !== first) void showLanguage(first)
  }, [isIdle, first])
}
