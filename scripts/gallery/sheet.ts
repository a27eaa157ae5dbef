import { groups, nameOf } from '#e2e/screens/screens.ts'
import type { Picture } from './shoot.ts'

const choice = (label: string, values: string[]) => `<label>${label} <select name="${label}">
  ${['all', ...values].map((value) => `<option>${value}</option>`).join('')}
</select></label>`

const figure = ({ file, name, size, theme, isWhole }: Picture) =>
  `<figure data-size="${isWhole ? 'whole' : size}" data-theme="${theme}">
  <a href="${file}"><img src="${file}" alt="" loading="lazy" class="${size}"></a><figcaption>${name}</figcaption>
</figure>`

export function contactSheet(pictures: Picture[], language: string) {
  const sections = Object.entries(groups).map(([group, screens]) => {
    const names = new Set(screens.map(nameOf))
    return `<h2>${group}</h2><section>${pictures
      .filter(({ name }) => names.has(name))
      .map(figure)
      .join('\n')}</section>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Gallery, ${language}</title>
<style>
  body { margin: 0 24px 48px; font: 14px/1.4 system-ui, sans-serif; background: #e9ebe7; color: #1a201c; }
  form { position: sticky; top: 0; display: flex; gap: 24px; padding: 12px 0; background: #e9ebe7; }
  section { display: flex; flex-wrap: wrap; gap: 20px; align-items: flex-start; }
  figure { margin: 0; }
  img { display: block; border: 1px solid #b9c0ba; border-radius: 6px; background: #fff; }
  img.desk { width: 480px; }
  img.phone { width: 195px; }
  img.tablet { width: 205px; }
  img:is(.landscape, .small, .large) { width: 480px; }
  figcaption { margin-top: 4px; }
  [hidden] { display: none; }
</style>
<h1>${new Set(pictures.map(({ name }) => name)).size} screens, ${pictures.length} pictures, ${language}</h1>
<form>${choice('size', ['desk', 'phone', 'tablet', 'landscape', 'small', 'large', 'whole'])} ${choice('theme', ['light', 'dark'])} <label>name <input name="name"></label></form>
${sections.join('\n')}
<script>
  const form = document.querySelector('form')
  form.oninput = () => {
    const { size, theme, name } = Object.fromEntries(new FormData(form))
    const fits = (wanted, value) => wanted === 'all' || wanted === value
    for (const figure of document.querySelectorAll('figure'))
      figure.hidden = !fits(size, figure.dataset.size) || !fits(theme, figure.dataset.theme) || !figure.textContent.includes(name)
  }
</script>
</html>
`
}
