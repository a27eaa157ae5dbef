import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { listControls } from '#web/ui/form/form-values.ts'
import classes from './demo-accounts.module.css'

type Props = { password: string; accounts: string[]; form: RefObject<HTMLFormElement | null> }

/** Sign-in buttons for the accounts of a demo server. */
export function DemoAccounts({ password, accounts, form }: Props) {
  const { t } = useTranslation()
  const enter = (username: string) => {
    if (!form.current) return
    const values: Record<string, string> = { username, password }
    for (const control of listControls(form.current)) control.value = values[control.name] ?? control.value
    form.current.requestSubmit()
  }
  return (
    <section className={classes.demo} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">{t('login.demo')}</h2>
      <p>{t('login.demoLead', { password })}</p>
      <ul>
        {accounts.map((account) => (
          <li key={account}>
            <button type="button" onClick={() => enter(account)}>
              {account}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
