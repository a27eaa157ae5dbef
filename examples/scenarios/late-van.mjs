export const title = 'A van that did not report for three days, with a full list of places'
export const base = 'empty'

/** @param {import('whereabouts/client').ScenarioTools} tools */
export default async function arrange({ world, api }) {
  const [van] = await world.entities.create({
    params: { type: 'trackers' },
    body: { data: { name: 'Van', type: 'tracker_02', kind: 'vehicle', battery: 3650 } },
  })
  const dario = await api('dario')
  for (let number = 1; number <= 20; number++)
    await dario.places.create({
      body: { name: `Customer ${number}`, address: `Street ${number}`, type: 'work', radius: 200, lat: -34.9 + number / 500, lng: -56.15 },
    })
  await world.sim.silence({ params: { id: Number(van.id) }, body: { for: 'P3D' } })
  await world.clock.advance({ body: { by: 'P3D' } })
}
