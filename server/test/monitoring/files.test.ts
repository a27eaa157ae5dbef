import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMailMetrics } from '#server/mail/mail-metrics.ts'
import { startPortal } from '#server/test/start-portal.ts'

type Alert = { alert: string; expr: string; for?: string; labels: { severity: string }; annotations: { summary: string; runbook: string } }
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] }

const ALERTS = 'docs/monitoring/alerts.yml'
const TESTS = 'docs/monitoring/alerts.test.yml'
const alerts: Alert[] = parse(readFileSync(ALERTS, 'utf8')).groups.flatMap(({ rules }: { rules: Alert[] }) => rules)
const dashboard: Dashboard = JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8'))
const queries = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
]

/** The selectors of a query: names of metrics, and labels with the compared values. Throws for invalid PromQL. */
function readSelectors(expr: string) {
  const selectors: { metric: string; matchers: { label: string; operator: string; value: string }[] }[] = []
  parser.parse(expr).iterate({
    enter({ node, type }) {
      if (type.isError) throw new Error(`${expr} cannot be read at ${node.from}`)
      if (type.name !== 'VectorSelector') return
      const metric = node.getChild('Identifier')
      if (!metric) throw new Error(`${expr} has a selector without a metric`)
      const text = expr.slice(node.from, node.to)
      const matchers = [...text.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)]
      selectors.push({
        metric: expr.slice(metric.from, metric.to),
        matchers: matchers.map(([, label = '', operator = '', value = '']) => ({ label, operator, value })),
      })
    },
  })
  return selectors
}

/** Labels that Prometheus adds to each series. */
const ADDED = { metrics: ['up'], labels: ['job', 'instance'] }

/** Metrics by name, with type, labels, and the values of labels that `/metrics` shows. */
async function readMetrics() {
  const clockGuard = { isTrusted: () => true, state: () => ({ offset: 0, reason: null }) }
  await using portal = await startPortal({ app: { dataDir: '.', clockGuard } })
  // Registered as by the production server.
  createMailMetrics(portal.app.metrics, portal.world)
  const { payload } = await portal.app.inject({ url: '/metrics' })
  const known = portal.app.metrics.getMetricsAsArray() as unknown as { name: string; type: string; labelNames: string[] }[]
  const types = new Map([...payload.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  const metrics = known.map(({ name, labelNames }) => ({ name, type: types.get(name), labels: labelNames }))
  const valuesOf = (name: string, label: string) =>
    [...payload.matchAll(new RegExp(`^${name}\\{[^}]*${label}="([^"]*)"`, 'gm'))].map(([, value]) => value)
  return { metrics, valuesOf }
}

const isOwn = (name: string) => !/^(process|nodejs|mock)_/.test(name)

describe('what operators are given for Prometheus and Grafana', () => {
  test('the table of metrics lists each metric of /metrics with its type and labels, and no other', async () => {
    const { metrics } = await readMetrics()
    const rows = readFileSync('docs/monitoring.md', 'utf8').matchAll(/^\| `([a-z_]+)(?:\{([\w,]*)\})?` \| (\w+) \|/gm)
    const documented = [...rows].map(([, name = '', labels = '', type = '']) => ({ name, type, labels: labels.split(',').filter(Boolean) }))
    const sorted = (list: typeof documented) => list.map(({ name, type, labels }) => `${name} ${type} ${labels.toSorted()}`).sort()
    expect(documented.length).toBeGreaterThan(15)
    expect(sorted(documented)).toEqual(sorted(metrics.filter(({ name }) => isOwn(name)).map((one) => ({ ...one, type: one.type! }))))
  })

  test('every metric, label and value in the alerts and the dashboard is in /metrics', async () => {
    const { metrics, valuesOf } = await readMetrics()
    const names = new Map(metrics.map(({ name, labels }) => [name, labels]))
    expect([alerts.length, dashboard.panels.length].every((count) => count > 10)).toBe(true)
    const unknown = queries.flatMap(({ where, expr }) => {
      const selectors = readSelectors(expr)
      if (selectors.length === 0) return [`${where}: no metric`]
      return selectors.flatMap(({ metric, matchers }) => {
        if (ADDED.metrics.includes(metric)) return []
        const name = metric.replace(/_(bucket|sum|count)$/, '')
        const labels = names.get(metric) ?? names.get(name)
        if (!labels) return [`${where}: ${metric}`]
        return matchers.flatMap(({ label, value }) => {
          if (ADDED.labels.includes(label)) return []
          if (!labels.includes(label)) return [`${where}: ${metric}{${label}}`]
          const shown = valuesOf(metric, label)
          // Metrics of requests by status, and those of PostgreSQL only, are missing in a new world.
          if (shown.length === 0 || /^(http|database_con)/.test(metric)) return []
          return value
            .split('|')
            .filter((one) => !shown.includes(one))
            .map((one) => `${where}: ${metric}{${label}="${one}"}`)
        })
      })
    })
    expect(unknown).toEqual([])
  })

  test('each alert states its severity, the problem and the section of the runbook that helps', () => {
    const headings = readFileSync('docs/runbook.md', 'utf8').matchAll(/^#+ (.+)$/gm)
    const anchors = [...headings].map(
      ([, words = '']) =>
        `docs/runbook.md#${words
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-')}`,
    )
    expect(alerts.filter(({ labels }) => !['page', 'ticket'].includes(labels.severity))).toEqual([])
    expect(alerts.filter(({ annotations }) => !anchors.includes(annotations.runbook)).map(({ alert }) => alert)).toEqual([])
    expect(alerts.filter(({ annotations }) => annotations.summary.length < 20)).toEqual([])
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  })

  test('a query with an error is rejected', () => {
    expect(() => readSelectors('sum(rate(a_total[5m])')).toThrow('cannot be read')
    expect(readSelectors('sum by (a) (rate(a_total{b=~"c|d"}[5m])) > 0.5 * b')).toMatchObject([{ metric: 'a_total' }, { metric: 'b' }])
  })

  test.skipIf(spawnSync('promtool', ['--version']).error !== undefined)('promtool accepts the rules, and their unit tests pass', () => {
    expect(execFileSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' })).toContain(`SUCCESS: ${alerts.length} rules found`)
    expect(execFileSync('promtool', ['test', 'rules', TESTS], { encoding: 'utf8' })).toContain('SUCCESS')
  })
})
