import { useLingui } from '@lingui/react/macro'
import CopyIcon from 'virtual:icons/copy'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/page/Button.tsx'

const confirmationMs = 2000

/** Copies a text that is already on screen, and confirms it for a moment. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useLingui()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), confirmationMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // The text is on screen, so a browser that forbids copying is no problem.
    }
  }
  return (
    <Button
      kind="text"
      size="small"
      icon={<CopyIcon size={20} aria-hidden="true" />}
      onClick={() => void copy()}
    >
      {copied
        ? t({ id: 'common.copied', message: 'Copied' })
        : t({ id: 'common.copy', message: 'Copy' })}
    </Button>
  )
}
