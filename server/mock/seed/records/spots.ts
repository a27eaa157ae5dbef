import type { Address, City } from '#server/mock/city/index.ts'

/** Where trackers live and go; each spot is a real house of the demo city. */
const SPOTS = {
  home: 'Rambla República de Chile 4507',
  school: 'Avenida General Rivera 4261',
  office: 'Zelmar Michelini 1326',
  shop: '26 de Marzo 1387',
  depot: 'Bulevar General Artigas 2813',
  cabin: 'Rambla Puerto Soledad de Malvinas 7878',
  hangar: 'Pasaje 20 Bloque 1 Malvín Norte 2077',
  plazaVirgilio: 'Rambla República de Chile 4256',
  malvin: "Rambla O'Higgins 4757",
  puntaGorda: 'Rambla República de México 5517',
  buceo: 'Avenida República Federal de Alemania 871',
  pocitos: 'Avenida Brasil 3029',
  villaDolores: 'Francisco Bauzá 3370',
  shopping: 'Doctor Luis Bonavita 1275',
  parqueRodo: 'Avenida Tomás Giribaldi 2216',
  parqueBatlle: 'Avenida Federico R. Vidiella 1760',
  tresCruces: 'Doctor Salvador Ferrer Serra 2342',
  blanqueada: 'General Urquiza 2966',
  union: 'Ingeniero José Serrato 2314',
  cordon: 'José Enrique Rodó 1875',
  university: 'Avenida 18 de Julio 1646',
  oldTown: 'Rincón 454',
  aguada: 'Madrid 1456',
  reducto: 'Rocha 2612',
  prado: 'Avenida Buschental 3522',
  cerrito: 'Juan Méndez 3574',
  maronas: 'Doctor Capdehourat 2664',
  carrasco: 'Siracusa 2473',
  maldonado: 'Camino Maldonado 5783',
  aconcagua: 'Avenida Italia 4366',
} as const

export type Spot = keyof typeof SPOTS
export type Spots = (spot: Spot) => Address

/** Creates a lookup that finds each spot on first use. Throws when the city has no such house. */
export function createSpotLookup(city: City): Spots {
  const known = new Map<Spot, Address>()
  return (spot) => {
    const address = known.get(spot) ?? city.search(SPOTS[spot], 1)[0]
    if (!address) throw new Error(`The demo city has no ${SPOTS[spot]}`)
    known.set(spot, address)
    return address
  }
}
