/** Keys of the wallets that people may use on a devnet. They are public: never send anything of value to them. */
export const mnemonics = [
  'tape caution law pepper lab olympic cause level welcome indoor access paper trend boring depend remain negative antenna can village thank lady mixture eager',
  'acoustic silly comfort elegant during merit jealous bounce autumn bacon public slab butter bicycle example night diary kangaroo agent draft crisp account meadow dragon',
  'miracle badge chicken census popular ginger since silver again rubber like scrub gown decade oppose start discover fiber promote cat shield host lab math',
  'lecture advice hybrid affair bounce side wealth auto cupboard wreck gorilla reveal ramp achieve someone record laundry crop author raccoon aim staff shoot main',
  'still special keep fox giraffe carry crawl extend puppy fancy myself fat just peanut stereo around protect load pond north tip olympic famous omit',
  'shaft coast flash deal divert shield manage pond mind auto audit evil thing shiver leaf creek butter wave rent swap bitter modify become symptom',
  'obscure also visit wild bar twice patient super hire daughter tomorrow latin neither suffer control convince square vehicle melt bonus utility divorce essay price',
  'rapid tunnel two beauty harsh pledge artist machine inmate nasty shoot argue negative arrange audit donate phrase gossip arctic wolf gauge unfold cute claim',
  'trust must desert math crew horror scissors bicycle reopen predict fade turn afraid armed calm among jacket place use ramp wire radar snake raven',
  'monkey seat jungle melody crouch season shift trim burst indoor assault coffee service weapon pattern suggest manual crop profit salon vicious crack ripple proud',
  'text gap matrix history woman art ramp cycle novel merge sheriff close average girl skirt mammal only supply begin floor rally motor coil mimic',
  'answer oil possible still forward surface feature early media ship history ghost jaguar entry kiss unknown frequent isolate blur pumpkin skill open cloud document',
] as const;
