import CheckCircleIcon from 'virtual:icons/check-circle-fill'
import WarningCircleIcon from 'virtual:icons/warning-circle-fill'
import XIcon from 'virtual:icons/x'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from '../page/IconButton.tsx'
import { currentToast, hideToast, subscribeToasts, type Toast } from './toastStore.ts'

const shownForMs = 5000
const nothing = () => null

/** Shows messages. Both live regions are always present, because a new region is not read out. */
export function Toaster({ closeLabel }: { closeLabel: string }) {
  const toast = useSyncExternalStore(subscribeToasts, currentToast, nothing)
  const error = toast?.tone === 'error' ? toast : null
  const success = toast?.tone === 'success' ? toast : null
  return (
    <div className="toast-frame">
      <div role="alert" aria-live="assertive">
        {error ? <Message key={error.id} toast={error} closeLabel={closeLabel} /> : null}
      </div>
      <output aria-live="polite">
        {success ? <Message key={success.id} toast={success} closeLabel={closeLabel} /> : null}
      </output>
    </div>
  )
}

function Message({ toast, closeLabel }: { toast: Toast; closeLabel: string }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(() => hideToast(toast.id), shownForMs)
    return () => clearTimeout(timer)
  }, [held, toast.id])
  const bad = toast.tone === 'error'
  const Icon = bad ? WarningCircleIcon : CheckCircleIcon
  return (
    <div
      className={
        'toast flex max-w-[35rem] items-center gap-3 rounded-button bg-overlay ps-4 pe-1 ' +
        'text-body text-ink shadow-menu'
      }
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon
        size={24}
        className={`shrink-0 ${bad ? 'text-danger' : 'text-success'}`}
        aria-hidden="true"
      />
      <span className="min-w-0 py-3 break-words">{toast.text}</span>
      <IconButton
        label={closeLabel}
        icon={<XIcon size={20} aria-hidden="true" />}
        onClick={() => hideToast(toast.id)}
        className="text-ink2"
      />
    </div>
  )
}
