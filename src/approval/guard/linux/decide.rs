//! What a policy says to one effect. Pure: the facts are looked up elsewhere.

use super::{Category, Policy, Zone};

/// What is known of a thing that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    /// Where it is.
    pub zone: Zone,
    /// Whether this run made it.
    pub made: bool,
}

/// Where something is moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Destination {
    /// Where that is.
    pub zone: Zone,
    /// What is there already and would be replaced: whether this run made it.
    pub replaces: Option<bool>,
}

/// The first category that an effect needs and that was not granted.
pub(super) type Missing = Option<Category>;

fn first_missing(policy: &Policy, needed: impl IntoIterator<Item = Category>) -> Missing {
    needed
        .into_iter()
        .find(|category| !policy.grants(*category))
}

/// What touching a zone at all needs.
fn of_zone(policy: &Policy, zone: Zone) -> Option<Category> {
    match zone {
        Zone::Agent => Some(Category::Tamper),
        Zone::Temporary => None,
        _ if policy.is_read_only() => Some(Category::Write),
        Zone::Workspace | Zone::Cache | Zone::Outside => None,
    }
}

/// Deleting.
pub(super) fn removal(policy: &Policy, facts: Facts) -> Missing {
    let delete = (!facts.made).then_some(Category::Delete);
    first_missing(
        policy,
        of_zone(policy, facts.zone).into_iter().chain(delete),
    )
}

/// Changing modes, owners and attributes.
pub(super) fn change(policy: &Policy, facts: Facts) -> Missing {
    let outside = match facts.zone {
        Zone::Outside => true,
        Zone::Temporary => !facts.made,
        Zone::Workspace | Zone::Cache | Zone::Agent => false,
    };
    let outside = outside.then_some(Category::Outside);
    first_missing(
        policy,
        of_zone(policy, facts.zone).into_iter().chain(outside),
    )
}

/// Moving. What leaves the workspace or a cache, and was not made by this run, is deleted there.
pub(super) fn movement(policy: &Policy, source: Facts, destination: Destination) -> Missing {
    let zones = [source.zone, destination.zone];
    let leaves = source.zone != destination.zone;
    let taken = match source.zone {
        _ if source.made => None,
        Zone::Workspace | Zone::Cache if leaves => Some(Category::Delete),
        Zone::Workspace | Zone::Cache | Zone::Agent => None,
        Zone::Temporary | Zone::Outside => Some(Category::Outside),
    };
    let replaced = destination.zone == Zone::Temporary && destination.replaces == Some(false);
    let put = (replaced || destination.zone == Zone::Outside).then_some(Category::Outside);
    let needed = zones
        .into_iter()
        .filter_map(|zone| of_zone(policy, zone))
        .chain(taken)
        .chain(put);
    first_missing(policy, needed)
}

#[cfg(test)]
mod tests {
    use super::super::tests::policy;
    use super::*;
    use Category::{Delete, Outside, Tamper, Write};
    use Zone::{Agent, Cache, Temporary, Workspace};

    const ZONES: [Zone; 5] = [Workspace, Temporary, Cache, Agent, Zone::Outside];

    fn old(zone: Zone) -> Facts {
        Facts { zone, made: false }
    }

    fn own(zone: Zone) -> Facts {
        Facts { zone, made: true }
    }

    fn to(zone: Zone) -> Destination {
        Destination {
            zone,
            replaces: None,
        }
    }

    #[test]
    fn what_is_not_the_runs_own_is_not_deleted() {
        let policy = policy();
        for zone in ZONES {
            let tamper = (zone == Agent).then_some(Tamper);
            assert_eq!(removal(&policy, own(zone)), tamper, "{zone:?}");
            assert_eq!(removal(&policy, old(zone)), tamper.or(Some(Delete)));
        }
    }

    #[test]
    fn every_category_that_an_effect_needs_has_to_be_granted() {
        let mut policy = policy();
        let there = to(Zone::Outside);
        assert_eq!(movement(&policy, old(Workspace), there), Some(Delete));
        policy.granted = [Delete].into_iter().collect();
        assert_eq!(movement(&policy, old(Workspace), there), Some(Outside));
        policy.granted = [Delete, Outside].into_iter().collect();
        assert_eq!(movement(&policy, old(Workspace), there), None);
        assert_eq!(movement(&policy, old(Workspace), to(Agent)), Some(Tamper));
    }

    #[test]
    fn replacing_is_free_but_among_temporary_files() {
        let policy = policy();
        let over = |zone, made| Destination {
            zone,
            replaces: Some(made),
        };
        assert_eq!(
            movement(&policy, own(Workspace), over(Workspace, false)),
            None
        );
        assert_eq!(movement(&policy, own(Workspace), over(Cache, false)), None);
        assert_eq!(
            movement(&policy, own(Workspace), over(Temporary, true)),
            None
        );
        assert_eq!(
            movement(&policy, own(Workspace), over(Temporary, false)),
            Some(Outside)
        );
    }

    #[test]
    fn a_read_only_run_has_its_temporary_files() {
        let mut policy = policy();
        policy.read_only = true;
        for zone in [Workspace, Cache, Zone::Outside] {
            assert_eq!(removal(&policy, own(zone)), Some(Write));
            assert_eq!(change(&policy, old(zone)), Some(Write));
            assert_eq!(movement(&policy, own(Temporary), to(zone)), Some(Write));
        }
        assert_eq!(removal(&policy, own(Temporary)), None);
        assert_eq!(change(&policy, own(Temporary)), None);
        policy.granted = [Write].into_iter().collect();
        assert_eq!(change(&policy, old(Workspace)), None);
    }
}
