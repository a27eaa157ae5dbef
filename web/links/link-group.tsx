import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { MAX_PUBLIC_LINKS } from '#contracts/lib/constants.ts'
import type { Group } from './group.ts'
import classes from './link-group.module.css'
import { LinkLine } from './link-line.tsx'

type Props = { group: Group; isEmbedded: boolean; mayChange: boolean }

export function LinkGroup({ group: { device, name, links }, isEmbedded, mayChange }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  return (
    <section className={classes.group} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{isEmbedded ? name : <Link to={`/trackers/${device}`}>{name}</Link>}</h2>
        <span>{t('publicLinks.count', { n: links.length, max: MAX_PUBLIC_LINKS })}</span>
      </header>
      <ul>
        {links.map((link) => (
          <LinkLine key={link.uuid} link={link} isEmbedded={isEmbedded} mayChange={mayChange} />
        ))}
      </ul>
    </section>
  )
}
