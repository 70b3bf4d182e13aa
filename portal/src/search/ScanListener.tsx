import { useLingui } from '@lingui/react/macro'
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { hasUnsavedForm } from '../kit/store/draft.ts'
import { HttpFailure, isCancelled, Refusal } from '../kit/call/failure.ts'
import { scansHeard, scanUnread, useScan } from '../kit/device/scan.ts'
import { lookUpIn } from '../paths.ts'
import { interrupt, isSheetOpen } from '../ui/layer/interruption.ts'
import { showToast } from '../ui/layer/toastStore.ts'
import { type Found, isNobody, pageOf, useAskWho, useUnderstand } from './find.ts'
import { remember } from './recent.ts'
import { isReadable } from './typed.ts'

/** Hears a scanner on every page: who is scanned is the next customer. */
export function ScanListener(): ReactNode {
  const { t } = useLingui()
  const understand = useUnderstand()
  const askWho = useAskWho()
  const open = useOpen()
  const here = useLocation({ select: ({ search }) => lookUpIn(search) })
  const failed = t({ id: 'common.loadFailed', message: 'This could not be loaded.' })

  useScan(async (text) => {
    const read = await understand(text)
    if (read === null) return false
    try {
      const found = await askWho(read.asks)
      const isHere = here !== null && 'code' in here && here.code === found.memberCode
      if (!isHere || (found.coupon !== null && !isSheetOpen())) open(found)
      return true
    } catch (error) {
      if (isNobody(error)) return false
      const said = error instanceof HttpFailure || error instanceof Refusal
      if (!isCancelled(error)) showToast({ tone: 'error', text: said ? error.message : failed })
      return true
    }
  }, 'everywhere')
  useUnread()
  return <Scanned />
}

/** Opens who was scanned; asks first where something would be lost. */
function useOpen(): (found: Found) => void {
  const { t } = useLingui()
  const navigate = useNavigate()
  const router = useRouter()
  // Whoever has gone on by themselves has decided.
  useEffect(() => router.subscribe('onResolved', () => interrupt(null)), [router])
  return (found) => {
    const go = () => {
      remember(found.by)
      // A form that is left for it has been asked about already.
      void navigate({ ...pageOf(found), ignoreBlocker: true })
    }
    if (!isSheetOpen() && !hasUnsavedForm()) return go()
    interrupt({
      text: t({ id: 'scan.another', message: 'Scanned another member' }),
      go: { label: t({ id: 'scan.switch', message: 'Switch' }), run: go },
      stay: { label: t({ id: 'scan.stay', message: 'Stay' }) },
    })
  }
}

/** Says that nobody could make anything of a scan. */
function useUnread() {
  const { t } = useLingui()
  const none = t({ id: 'search.none', message: 'No Member Found' })
  const notMember = t({ id: 'scan.notMember', message: "This code isn't a member code." })
  useEffect(
    () =>
      scanUnread.watch((unread) => {
        if (unread === null) return
        showToast({ tone: 'error', text: isReadable(unread.text) ? none : notMember })
      }),
    [none, notMember],
  )
}

const saidFor = 1000

/** For those who do not see the icon shine. */
function Scanned() {
  const { t } = useLingui()
  const [heard, setHeard] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = scansHeard.watch(() => {
      setHeard(true)
      clearTimeout(timer)
      timer = setTimeout(() => setHeard(false), saidFor)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return (
    <output className="sr-only">
      {heard ? t({ id: 'sys.scanned', message: 'Scanned' }) : null}
    </output>
  )
}
