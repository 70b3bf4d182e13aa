import { useLingui } from '@lingui/react/macro'
import CaretDownIcon from 'virtual:icons/caret-down'
import StorefrontIcon from 'virtual:icons/storefront'
import { useRef, useState, type ReactNode } from 'react'
import { languageNames, useLanguage } from '../kit/text/language.ts'
import { useSession } from '../kit/call/session.ts'
import { later } from '../ui/load/later.tsx'

const SettingsMenu = later(async () => (await import('./SettingsMenu.tsx')).SettingsMenu)
function prefetch(): void {
  void SettingsMenu.preload()
}

/** Opens the settings. Its label is the store after login, and the language before. */
export function SettingsButton(): ReactNode {
  const { t } = useLingui()
  const language = useLanguage()
  const session = useSession()
  const anchor = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  const [open, setOpen] = useState(false)

  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => {
          setOpened(true)
          setOpen(true)
        }}
        className={
          'inline-flex min-h-12 min-w-12 items-center justify-center gap-2 rounded-button px-3 ' +
          'low:min-h-11 text-small text-ink transition-colors duration-[120ms] ' +
          'hover:bg-[color-mix(in_srgb,transparent,var(--ink)_6%)]'
        }
      >
        {session === null ? (
          <>
            <span className="sr-only">{t({ id: 'set.language', message: 'Language' })}</span>
            <span lang={language}>{languageNames[language]}</span>
          </>
        ) : (
          <>
            <StorefrontIcon size={24} aria-hidden="true" className="shrink-0" />
            <span className="hidden max-w-64 truncate medium:inline">
              {session.store.name} <span className="text-ink2">{session.store.code}</span>
            </span>
            <span className="sr-only">{t({ id: 'set.open', message: 'Settings' })}</span>
          </>
        )}
        <CaretDownIcon size={16} aria-hidden="true" className="shrink-0" />
      </button>
      {opened && <SettingsMenu open={open} onOpenChange={setOpen} anchor={anchor} />}
    </>
  )
}
