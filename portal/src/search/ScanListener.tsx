import { useLingui } from '@lingui/react/macro'
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { hasUnsavedForm } from '../kit/store/draft.ts'
import { isCancelled, reasonOf } from '../kit/call/failure.ts'
import { scanCount, unreadScan, useScan } from '../kit/device/scan.ts'
import { lookUpIn } from '../paths.ts'
import { interrupt, isSheetOpen } from '../ui/layer/interruption.ts'
import { showToast } from '../ui/layer/toastStore.ts'
import { type Found, isNotFound, pageOf, useResolveMember, useParse } from './find.ts'
import { rememberSearch } from './recent/recent.ts'
import { isReadable } from './text/parse.ts'

/** Receives scans on every page: a scanned member is the next customer. */
export function ScanListener(): ReactNode {
  const { t } = useLingui()
  const understand = useParse()
  const askWho = useResolveMember()
  const open = useOpenMember()
  const here = useLocation({ select: ({ search }) => lookUpIn(search) })
  const failed = t({ id: 'common.loadFailed', message: 'This could not be loaded.' })

  useScan(async (text) => {
    const read = await understand(text)
    if (read === null) return false
    try {
      const found = await askWho(read.candidates)
      const isHere = here !== null && 'code' in here && here.code === found.memberCode
      if (!isHere || (found.coupon !== null && !isSheetOpen())) open(found)
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      if (!isCancelled(error)) showToast({ tone: 'error', text: reasonOf(error) ?? failed })
      return true
    }
  }, 'everywhere')
  useUnreadScan()
  return <ScanAnnouncement />
}

/** Opens the scanned member; asks first if unsaved input would be lost. */
function useOpenMember(): (found: Found) => void {
  const { t } = useLingui()
  const navigate = useNavigate()
  const router = useRouter()
  // The clerk has left the page, so the question is no longer needed.
  useEffect(() => router.subscribe('onResolved', () => interrupt(null)), [router])
  return (found) => {
    const go = () => {
      rememberSearch(found.by)
      // The clerk has already confirmed leaving the form.
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

/** Reports that a scan could not be used. */
function useUnreadScan() {
  const { t } = useLingui()
  const none = t({ id: 'search.none', message: 'No Member Found' })
  const notMember = t({ id: 'scan.notMember', message: "This code isn't a member code." })
  useEffect(
    () =>
      unreadScan.watch((unread) => {
        if (unread === null) return
        showToast({ tone: 'error', text: isReadable(unread.text) ? none : notMember })
      }),
    [none, notMember],
  )
}

const announcedForMs = 1000

/** Announces a scan to screen readers. */
function ScanAnnouncement() {
  const { t } = useLingui()
  const [heard, setHeard] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = scanCount.watch(() => {
      setHeard(true)
      clearTimeout(timer)
      timer = setTimeout(() => setHeard(false), announcedForMs)
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
