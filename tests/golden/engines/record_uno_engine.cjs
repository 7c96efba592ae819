// Plays seeded games on the npm package uno-engine 2.0.3 and writes down what it did, as JSON.
//   npm install uno-engine@2.0.3 && node record_uno_engine.cjs SEED PLAYERS > uno-engine-SEED.json
// The players are ours: they draw against a playable card, bluff, break the draw-then-play rule
// and forget UNO now and then. Every card that moves is named, so that the game can be retold.
const [seed, seats] = process.argv.slice(2).map(Number);
let state = seed >>> 0;
Math.random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 4294967296;
};
const { Game, Color, Value } = require("uno-engine");

const word = (text) => text.toLowerCase().replace(/_/g, "-");
const number = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
const name = (card) => {
  if (card.isWildCard()) return word(Value[card.value]);
  return `${word(Color[card.color])}-${number[card.value] ?? word(Value[card.value])}`;
};
const pick = (list) => list[Math.floor(Math.random() * list.length)];
const chance = (share) => Math.random() < share;

const moves = [];
const fresh = []; // the pile after the engine took a new deck, top first; null if it did not
const watch = (deck) => {
  const draw = deck.draw.bind(deck);
  deck.draw = (count) => {
    const drawn = draw(count);
    fresh.push((count || 1) >= before ? deck.cards.map(name).reverse() : null);
    before = deck.length;
    return drawn;
  };
  let before = deck.length;
};
const taken = () => fresh.splice(0).find((pile) => pile !== null) ?? null;

const players = ["ann", "bo", "cy", "di"].slice(0, seats);
const game = new Game(players);
const Deck = game.deck.constructor;
const hands = Object.fromEntries(game.players.map((p) => [p.name, p.hand.map(name)]));
const first = name(game.discardedCard);
// the engine drops what it ignored before a number came up: what the box lacks now
const ignored = new Deck().cards.map(name);
for (const card of [first, ...Object.values(hands).flat(), ...game.deck.cards.map(name)])
  ignored.splice(ignored.indexOf(card), 1);
const begins = game.currentPlayer.name;
watch(game.deck);

let ended = null;
game.on("end", (event) => {
  ended = { winner: event.winner.name, score: event.score };
});

const play = (player, card) => {
  const move = { player: player.name, plays: name(card) };
  if (card.isWildCard()) {
    card.color = pick([Color.RED, Color.BLUE, Color.GREEN, Color.YELLOW]);
    move.color = word(Color[card.color]);
  }
  if (player.hand.length === 2 && !game.yellers[player.name]) {
    move.uno = chance(0.7);
    if (move.uno) game.uno(player);
  }
  const victim = game.nextPlayer;
  const held = victim.hand.length;
  game.play(card);
  const drawn = ended ? [] : victim.hand.slice(held);
  if (drawn.length) move.next_draws = { player: victim.name, cards: drawn.map(name) };
  const pile = taken();
  if (pile) move.fresh_pile = pile;
  moves.push(move);
  const witness = game.players.find((p) => p !== player && p.hand.length > 2);
  const silent = game.players.filter((p) => p.hand.length === 1 && !game.yellers[p.name]);
  if (!ended && move.uno === false && witness && silent.length === 1 && chance(0.6)) {
    const before = player.hand.length;
    game.uno(witness);
    const caught = { player: player.name, caught_by: witness.name };
    caught.cards = player.hand.slice(before).map(name);
    const renewed = taken();
    if (renewed) caught.fresh_pile = renewed;
    moves.push(caught);
  }
};

while (!ended) {
  const player = game.currentPlayer;
  const playable = (cards) =>
    cards.filter((c) => c.isWildCard() || c.matches(game.discardedCard));
  const options = playable(player.hand);
  if (options.length && !chance(0.1)) {
    play(player, pick(options));
    continue;
  }
  const held = player.hand.slice();
  game.draw();
  const card = player.hand[player.hand.length - 1];
  const move = { player: player.name, draws: name(card) };
  const pile = taken();
  if (pile) move.fresh_pile = pile;
  moves.push(move);
  if (playable([card]).length && chance(0.8)) play(player, card);
  else if (playable(held).length && chance(0.3)) play(player, pick(playable(held)));
  else {
    moves.push({ player: player.name, passes: true });
    game.pass();
  }
}
const atEnd = Object.fromEntries(game.players.map((p) => [p.name, p.hand.map(name)]));
const line = (value) => JSON.stringify(value);
const opening = { engine: "uno-engine 2.0.3", seed, players, begins, hands, ignored, first };
console.log("{");
for (const [field, value] of Object.entries(opening)) console.log(` ${line(field)}: ${line(value)},`);
console.log(` "moves": [\n  ${moves.map(line).join(",\n  ")}\n ],`);
console.log(` "hands_at_end": ${line(atEnd)},`);
console.log(` "winner": ${line(ended.winner)},\n "score": ${ended.score}\n}`);
