import { beginCell, Cell, toNano } from '@ton/core';
import { expect } from 'chai';
import { claimVested } from '../../shared/contracts/crowdfunding/claim-vested.ts';
import { emergencyRelease } from '../../shared/contracts/crowdfunding/emergency-release.ts';
import { initVault } from '../../shared/contracts/crowdfunding/init-vault.ts';
import type { VestingTerms } from '../../shared/contracts/crowdfunding/vesting-terms.ts';
import { takeWalletAddress } from '../../shared/contracts/jetton/take-wallet-address.ts';
import { bodyOf } from '../../shared/contracts/message-schema.ts';
import { vestedAmount } from '../../shared/vesting.ts';
import { type CampaignLab, cameBack, exitAt, ONE, openCampaignLab } from './campaign-lab.ts';
import { reserves } from './story/campaign.ts';

describe('devnet: vesting vault', () => {
  let lab: CampaignLab;
  before(async () => {
    lab = await openCampaignLab();
  });
  after(() => lab.close());

  /** A successful campaign with vesting, in which alice has 7 LP. */
  const vested = async (terms: Partial<VestingTerms> = {}) => {
    const vesting = { start: lab.world.now + 100, cliff: 100, duration: 1000, tgeBps: 1000, ...terms };
    const campaign = await lab.start({ maxTotal: 7n * ONE, vesting });
    await lab.trace(() => campaign.contribute(lab.alice, 7n * ONE));
    return { campaign, vesting };
  };

  it('is deployed by the claim, initialised by the LP minter, and holds all LP', async () => {
    const { campaign, vesting } = await vested();
    const steps = await lab.trace(() => campaign.claim(lab.alice, reserves.claimIntoVault));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
    const vault = await campaign.vault(lab.alice.address);
    const address = campaign.vaultOf(lab.alice.address);
    expect(vault).to.deep.include({
      initialised: true,
      total: 7n * ONE,
      claimed: 0n,
      released: false,
      ...vesting,
    });
    expect(vault?.lpWallet?.equals(lab.lp.walletOf(address))).to.equal(true);
    expect(await lab.lp.balanceOf(address)).to.equal(7n * ONE);
  });

  it('gives out what is vested in each phase, and no unit more', async () => {
    const { campaign, vesting } = await vested();
    await lab.trace(() => campaign.claim(lab.alice));
    const vault = campaign.vaultOf(lab.alice.address);
    const before = await lab.lp.balanceOf(lab.alice.address);
    const claim = async () => {
      const steps = await lab.trace(() => campaign.claimVested(lab.alice));
      return exitAt(steps, vault);
    };
    const schedule = { total: 7n * ONE, ...vesting, released: false };
    expect(await claim()).to.equal(121);
    lab.world.wait(100);
    expect(await claim()).to.equal(0);
    expect((await campaign.vault(lab.alice.address))?.claimed).to.equal((7n * ONE) / 10n);
    expect(await claim()).to.equal(121);
    lab.world.wait(600);
    expect(await claim()).to.equal(0);
    const claimed = (await campaign.vault(lab.alice.address))?.claimed ?? 0n;
    const [early, late] = [vestedAmount(schedule, lab.world.now - 10), vestedAmount(schedule, lab.world.now)];
    expect(claimed >= early && claimed <= late).to.equal(true);
    expect((await lab.lp.balanceOf(lab.alice.address)) - before).to.equal(claimed);
    lab.world.wait(600);
    expect(await claim()).to.equal(0);
    expect((await lab.lp.balanceOf(lab.alice.address)) - before).to.equal(7n * ONE);
    expect(await claim()).to.equal(121);
    expect(await lab.lp.balanceOf(vault)).to.equal(0n);
  });

  it('is released by the operator through the campaign alone, also after an emergency', async () => {
    const { campaign } = await vested();
    const vault = campaign.vaultOf(lab.alice.address);
    // Before there is a vault the message comes back, and that is all.
    expect(cameBack(await lab.trace(() => campaign.release(lab.alice.address)), campaign.address)).to.equal(
      true,
    );
    await lab.trace(() => campaign.claim(lab.alice));
    const direct = bodyOf(emergencyRelease, { queryId: 1n });
    expect(exitAt(await lab.send(lab.owner, { to: vault, body: direct }), vault)).to.equal(101);
    await lab.trace(() => campaign.withdrawAll());
    await lab.trace(() => campaign.release(lab.alice.address));
    expect((await campaign.vault(lab.alice.address))?.released).to.equal(true);
    const before = await lab.lp.balanceOf(lab.alice.address);
    await lab.trace(() => campaign.claimVested(lab.alice));
    expect((await lab.lp.balanceOf(lab.alice.address)) - before).to.equal(7n * ONE);
    const free = await lab.start();
    expect(exitAt(await lab.trace(() => free.release(lab.alice.address)), free.address)).to.equal(123);
  });

  it('obeys its owner and its campaign, believes its minter, and wants its gas', async () => {
    const { campaign } = await vested({ start: 1, cliff: 0, duration: 0 });
    await lab.trace(() => campaign.claim(lab.alice));
    const vault = campaign.vaultOf(lab.alice.address);
    const exitOf = async (from: typeof lab.alice, body: Cell, value = toNano('0.2')) =>
      exitAt(await lab.send(from, { to: vault, body, value }), vault);
    const claim = bodyOf(claimVested, { queryId: 1n });
    expect(await exitOf(lab.bob, claim)).to.equal(74);
    expect(await exitOf(lab.alice, claim, reserves.claimVested - 1n)).to.equal(48);
    const schedule = { start: 0, cliff: 0, duration: 0, tgeBps: 0 };
    const again = bodyOf(initVault, { queryId: 1n, total: 1n, schedule, lpMinter: lab.lp.minter });
    expect(await exitOf(lab.owner, again)).to.equal(101);
    const told = { queryId: 1n, walletAddress: lab.bob.address, ownerAddress: null };
    expect(await exitOf(lab.bob, bodyOf(takeWalletAddress, told))).to.equal(76);
    expect(await exitOf(lab.bob, beginCell().storeUint(5, 32).endCell())).to.equal(0xffff);
    const steps = await lab.trace(() => campaign.claimVested(lab.alice, reserves.claimVested));
    expect(steps.every(({ exitCode }) => exitCode === 0)).to.equal(true);
  });

  it('takes back what its LP wallet could not send', async () => {
    // A campaign that names another minter than its manager's: the vault asks that one.
    const vesting = { start: 1, cliff: 0, duration: 0, tgeBps: 0 };
    const campaign = await lab.start({ maxTotal: 7n * ONE, vesting, lpMinter: lab.currency.minter });
    await lab.trace(() => campaign.contribute(lab.alice, 7n * ONE));
    await lab.trace(() => campaign.claim(lab.alice));
    const vault = campaign.vaultOf(lab.alice.address);
    // Its wallet there holds less than the vault believes.
    await lab.trace(() => lab.currency.transfer(lab.bob, vault, 5n));
    const before = lab.coinsOf(lab.alice.address);
    const steps = await lab.trace(() => campaign.claimVested(lab.alice));
    expect(cameBack(steps, vault)).to.equal(true);
    expect((await campaign.vault(lab.alice.address))?.claimed).to.equal(0n);
    expect(Number(before - lab.coinsOf(lab.alice.address))).to.be.below(2e7);
  });
});
