import { useLingui } from '@lingui/react/macro'
import { type FormEvent, useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { ErrorSummary, useProblems } from '../form/ErrorSummary.tsx'
import { FieldInput } from '../form/FieldInput.tsx'
import { focusOn } from '../form/useMemberForm.ts'
import { ActionNotice } from '../kit/action/ActionNotice.tsx'
import { LeaveGuard } from '../kit/action/LeaveGuard.tsx'
import { useOnline } from '../kit/device/online.ts'
import { UnclearButtons } from '../kit/action/UnclearButtons.tsx'
import { Button } from '../ui/page/Button.tsx'
import { moveOnEnter } from '../ui/field/composing.ts'
import { Conflicts } from './Conflicts.tsx'
import type { Profile } from './useProfile.ts'
import { draftOf } from './useProfileForm.ts'

type ProfileFormProps = {
  /** The name under which the draft is kept if the session is lost. */
  name: string
  profile: Profile
}

/** The editable fields, with two buttons that stay visible. */
export function ProfileForm({ name: whose, profile }: ProfileFormProps) {
  const { fields } = profile
  const problems = useProblems(fields, profile.memberForm)
  const { saving, conflicts } = profile
  const names = fields.filter(({ name }) => name === 'firstName' || name === 'lastName')
  const rest = fields.filter((field) => !names.includes(field))
  const save = async () => {
    const [first] = await profile.save()
    if (first !== undefined) focusOn({ name: first })
  }
  useSaveKey(() => void save())
  if (fields.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its fields' keys
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={moveOnEnter}
      className="flex flex-col gap-5"
    >
      <LeaveGuard name={draftOf(whose)} read={profile.unsaved} />
      <div inert={saving.busy || saving.open} className="flex flex-col gap-5">
        <ErrorSummary problems={problems} />
        {conflicts.length === 0 ? null : (
          <Conflicts
            conflicts={conflicts}
            now={profile.base}
            theirs={profile.theirs}
            typed={profile.memberForm.form.getValues()}
            onTakeTheirs={profile.takeTheirs}
          />
        )}
        <div className="grid grid-cols-1 gap-4 medium:grid-cols-2">
          {names.map((field) => (
            <FieldInput key={field.name} field={field} memberForm={profile.memberForm} />
          ))}
        </div>
        {rest.map((field) => (
          <FieldInput key={field.name} field={field} memberForm={profile.memberForm} />
        ))}
      </div>
      <SaveBar profile={profile} />
    </form>
  )
}

function SaveBar({ profile }: { profile: Profile }) {
  const { t } = useLingui()
  const online = useOnline()
  const { saving, outcome } = profile
  // Renders again with each typed character.
  useWatch({ control: profile.memberForm.form.control })
  const isChanged = profile.unsaved() !== null
  const said = {
    saved: t({ id: 'prof.saved', message: 'Saved' }),
    noChange: t({ id: 'prof.noChange', message: 'No changes to save' }),
    none: '',
    wrong: '',
    changed: '',
  }
  // These refusals are already shown at their field or above the form.
  const quiet = saving.state.step === 'refused' && (outcome === 'wrong' || outcome === 'changed')
  return (
    <div className="form-bar form-bar-inside">
      {quiet ? null : (
        <ActionNotice
          state={saving.state}
          unknown={t({
            id: 'prof.unknown',
            message: "We couldn't confirm whether the changes were saved.",
          })}
          intact={t({ id: 'prof.intact', message: 'Nothing has been saved yet.' })}
        />
      )}
      <div className="flex flex-wrap items-start justify-end gap-2">
        <output className="me-auto flex min-h-13 items-center text-small text-ink2">
          {said[outcome]}
        </output>
        {saving.open ? (
          <UnclearButtons
            state={saving.state}
            action={saving.action}
            label={t({ id: 'prof.save', message: 'Save' })}
            onEdit={saving.edit}
          />
        ) : (
          <>
            <Button kind="text" disabled={saving.busy || !isChanged} onClick={profile.discard}>
              {t({ id: 'prof.discard', message: 'Discard' })}
            </Button>
            <Button
              type="submit"
              kind="filled"
              className="min-w-32"
              busy={saving.busy}
              disabled={(!online || !isChanged) && !saving.busy}
              {...(online ? {} : { reason: t({ id: 'off.short', message: "You're offline." }) })}
            >
              {t({ id: 'prof.save', message: 'Save' })}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

/**
 * Ctrl+S or Cmd+S saves the profile, wherever the focus is. Otherwise the browser would save the
 * page.
 */
function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (document.querySelector('[role=dialog]') === null) latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
