import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Member, revealContact } from '@tillside/contract/member'
import { groupFields, orderedFields } from '../form/groupFields.ts'
import { focusOn } from '../form/useMemberForm.ts'
import type { Field } from '../form/values.ts'
import { ConsentHistory } from '../consent/ConsentHistory.tsx'
import { call } from '../kit/call/call.ts'
import { useLanguage } from '../kit/text/language.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { registerConfigQuery } from '../consent/consents.ts'
import { FormSkeleton, Skeleton } from '../ui/page/Skeleton.tsx'
import { Facts } from './Facts.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { useProfile } from './useProfile.ts'

/** The member's data; the fields that clerks may edit are first. */
export function ProfilePage({ member }: { member: Member }) {
  const { t } = useLingui()
  const language = useLanguage()
  const config = useQuery({ ...registerConfigQuery(language), placeholderData: keepPreviousData })
  return (
    <div className="flex flex-col gap-8">
      <Loaded
        query={config}
        name={t({ id: 'nav.profile', message: 'Profile' })}
        skeleton={<ProfileSkeleton />}
      >
        {({ fields }) => (
          <Fields member={member} fields={orderedFields(groupFields(fields, language))} />
        )}
      </Loaded>
      <ConsentHistory memberCode={member.memberCode} />
    </div>
  )
}

function Fields({ member, fields }: { member: Member; fields: readonly Field[] }) {
  const profile = useProfile(member, fields)
  const change = async (field: Field) => {
    const { name } = field
    if (name !== 'mobile' && name !== 'email') return
    const { memberCode } = member
    const answer = await call(revealContact, { memberCode, field: name }).catch(() => null)
    if (answer === null) return
    profile.open(field, answer.value)
    focusOn(field)
  }
  return (
    <div className="flex flex-col gap-4">
      <ProfileForm name={member.memberCode} profile={profile} />
      <Facts
        member={member}
        fields={fields}
        editing={profile.fields}
        onChange={(field) => void change(field)}
      />
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <FormSkeleton />
      <Skeleton height="12rem" />
    </div>
  )
}
