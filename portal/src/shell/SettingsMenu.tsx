import { useLingui } from '@lingui/react/macro'
import KeyIcon from 'virtual:icons/key'
import MonitorIcon from 'virtual:icons/monitor'
import SignOutIcon from 'virtual:icons/sign-out'
import UserSwitchIcon from 'virtual:icons/user-switch'
import { useState, type ReactNode, type RefObject } from 'react'
import { useSupportedLanguages } from '../company/company.ts'
import { hasUnsavedForm } from '../kit/store/draft.ts'
import { turned } from '../kit/store/scene.ts'
import { languageNames, useLanguage } from '../kit/text/language.ts'
import { fullName } from '@tillside/contract/rules/person'
import { openDisplay } from '../display/open.ts'
import { useSession } from '../kit/call/session.ts'
import { logOut } from '../staff/logout.ts'
import { changeLanguage } from '../staff/changeLanguage.ts'
import { Menu, MenuHeader, MenuItem, MenuRadioGroup, MenuSeparator } from '../ui/layer/Menu.tsx'
import { showToast } from '../ui/layer/toastStore.ts'
import { later } from '../ui/load/later.tsx'

const DiscardSheet = later(
  async () => (await import('../kit/action/DiscardSheet.tsx')).DiscardSheet,
)
const ChangePassword = later(
  async () => (await import('../staff/password/ChangePassword.tsx')).ChangePassword,
)

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  anchor: RefObject<HTMLElement | null>
}

/** The settings: the account and store, the language, the password, and logout. */
export function SettingsMenu({ open, onOpenChange, anchor }: Props): ReactNode {
  const { t } = useLingui()
  const language = useLanguage()
  const supported = useSupportedLanguages()
  const info = useSession()
  const blocked = t({
    id: 'set.blocked',
    message: 'The browser has blocked the window. Allow pop-up windows for this page.',
  })
  const [leaving, setLeaving] = useState(false)
  const [changing, setChanging] = useState<'never' | 'now' | 'before'>('never')

  return (
    <>
      <Menu
        open={open}
        onOpenChange={onOpenChange}
        anchor={anchor}
        label={t({ id: 'set.open', message: 'Settings' })}
      >
        {info !== null && (
          <>
            <MenuHeader
              title={
                <>
                  {fullName(info.staff)}{' '}
                  <span className="font-normal text-ink2">{info.staff.account}</span>
                </>
              }
              note={
                <>
                  {info.store.name} · <span className="num">{info.store.code}</span>
                </>
              }
            />
            <MenuSeparator />
          </>
        )}
        <MenuRadioGroup
          label={t({ id: 'set.language', message: 'Language' })}
          value={language}
          options={supported.map((value) => ({ value, label: languageNames[value], lang: value }))}
          onChange={(chosen) => void changeLanguage(chosen)}
        />
        {info !== null && (
          <>
            <MenuSeparator />
            <MenuItem
              icon={<MonitorIcon size={20} aria-hidden="true" />}
              onSelect={() => {
                if (!openDisplay()) showToast({ tone: 'error', text: blocked })
              }}
            >
              {t({ id: 'set.display', message: 'Customer display' })}
            </MenuItem>
            <MenuItem
              icon={<UserSwitchIcon size={20} aria-hidden="true" />}
              onSelect={() => turned.set(true)}
            >
              {t({ id: 'set.turn', message: 'Turn to customer' })}
            </MenuItem>
            <MenuItem
              icon={<KeyIcon size={20} aria-hidden="true" />}
              onSelect={() => setChanging('now')}
            >
              {t({ id: 'set.changePw', message: 'Change Password' })}
            </MenuItem>
            <MenuItem
              icon={<SignOutIcon size={20} aria-hidden="true" />}
              // Asks before unsaved input is lost.
              onSelect={() => (hasUnsavedForm() ? setLeaving(true) : logOut())}
            >
              {t({ id: 'set.logout', message: 'Logout' })}
            </MenuItem>
          </>
        )}
      </Menu>
      {leaving && <DiscardSheet open onKeep={() => setLeaving(false)} onDiscard={logOut} />}
      {changing !== 'never' && (
        <ChangePassword open={changing === 'now'} onClose={() => setChanging('before')} />
      )}
    </>
  )
}
