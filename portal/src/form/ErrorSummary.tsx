import { useLingui } from '@lingui/react/macro'
import { useFormState } from 'react-hook-form'
import { focusOn, type MemberForm } from './useMemberForm.ts'
import { type FormError, useFieldErrorTexts } from './useFieldErrorTexts.ts'
import type { Field, FormValues } from './values.ts'

export type Problem = { name: string; label: string; text: string }

/** The current errors of the fields, in the fields' order. */
export function useProblems(fields: readonly Field[], memberForm: MemberForm): Problem[] {
  const errorText = useFieldErrorTexts()
  const { errors } = useFormState<FormValues>({ control: memberForm.form.control })
  // Each group of values has its errors by field name.
  const errorByName = new Map(
    Object.values(errors).flatMap((group) =>
      Object.entries(group ?? {}).flatMap(([name, said]) => {
        const fieldError = errorIn(said)
        return fieldError === null ? [] : [[name, fieldError] as const]
      }),
    ),
  )
  return fields.flatMap((field) => {
    const text = errorText(field, errorByName.get(field.name))
    return text === undefined ? [] : [{ name: field.name, label: field.label, text }]
  })
}

function errorIn(said: unknown): FormError | null {
  if (typeof said !== 'object' || said === null || !('type' in said)) return null
  const message = 'message' in said && typeof said.message === 'string' ? said.message : undefined
  return typeof said.type === 'string' ? { type: said.type, message } : null
}

/** All errors in one list if there are several; each line links to its field. */
export function ErrorSummary({ problems }: { problems: readonly Problem[] }) {
  const { t } = useLingui()
  if (problems.length < 2) return null
  return (
    <section
      aria-labelledby="problems"
      className="rounded-button border border-danger bg-danger-tint px-4 py-3"
    >
      <h2 id="problems" className="text-strong">
        {t({ id: 'reg.problem', message: 'There is a problem' })}
      </h2>
      <ul className="mt-1">
        {problems.map((problem) => (
          <li key={problem.name}>
            <a
              href={`#field-${problem.name}`}
              className={
                'inline-block min-h-11 py-2.5 text-danger underline underline-offset-[0.2em]'
              }
              onClick={(event) => {
                event.preventDefault()
                focusOn(problem)
              }}
            >
              <ProblemText {...problem} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProblemText({ label, text }: Problem) {
  const { t } = useLingui()
  return t({ id: 'reg.problemAt', message: `${label}: ${text}` })
}
